//! A server for the pages, for this machine alone.
//!
//! `tower-http` knows types, ranges, compressed files that lie beside, and refuses what leads out of the
//! folder; here is only how it is reached.

use std::{
    convert::Infallible,
    io,
    net::{Ipv4Addr, SocketAddr, TcpListener},
    path::Path,
    thread,
    time::Duration,
};

use http::{HeaderValue, Request, Uri, header::CACHE_CONTROL};
use hyper::{
    body::Incoming,
    server::conn::http1,
    service::{Service, service_fn},
};
use hyper_util::{rt::TokioIo, service::TowerToHyperService};
use tower_http::services::ServeDir;

use crate::failure::Failure;

/// A server that listens, but does not answer yet.
#[derive(Debug)]
pub struct Server {
    listener: TcpListener,
    files: ServeDir,
    /// Where else on the host the folder is.
    also: &'static str,
}

impl Server {
    /// Listens on the port of the loopback, or on a free one if that is 0.
    ///
    /// # Errors
    /// When there are no pages, or the port is taken.
    pub fn bind(folder: &Path, port: u16) -> Result<Self, Failure> {
        if !folder.join("index.html").is_file() {
            return Err(Failure::NoPages(folder.to_owned()));
        }
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port));
        let listener =
            listener.and_then(|listener| listener.set_nonblocking(true).map(|()| listener));
        Ok(Self {
            listener: listener.map_err(|error| Failure::Port { port, error })?,
            files: ServeDir::new(folder)
                .precompressed_br()
                .precompressed_gzip(),
            also: "",
        })
    }

    /// The same folder also somewhere below the host's root, as `/some/folder`.
    pub fn also_at(self, also: &'static str) -> Self {
        Self { also, ..self }
    }

    /// Where it is reached.
    pub fn address(&self) -> io::Result<SocketAddr> {
        self.listener.local_addr()
    }

    /// Answers, until the process ends.
    pub fn run(self) -> io::Result<()> {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_io()
            .build()?;
        runtime.block_on(async {
            let listener = tokio::net::TcpListener::from_std(self.listener)?;
            loop {
                match listener.accept().await {
                    Ok((stream, _)) => {
                        drop(tokio::spawn(answer(stream, self.files.clone(), self.also)));
                    }
                    // One that ends before it is taken is no reason to stop; where there are too many, some
                    // end soon.
                    Err(_) => thread::sleep(Duration::from_millis(20)),
                }
            }
        })
    }
}

async fn answer(stream: tokio::net::TcpStream, files: ServeDir, also: &'static str) {
    let files = TowerToHyperService::new(files);
    let service = service_fn(move |mut request: Request<Incoming>| {
        if let Some(inside) = inside(also, request.uri()) {
            *request.uri_mut() = inside;
        }
        let answer = files.call(request);
        async move {
            let mut response = answer.await?;
            // What was built anew is asked for anew; what was not is answered with "not modified".
            response
                .headers_mut()
                .insert(CACHE_CONTROL, HeaderValue::from_static("no-cache"));
            Ok::<_, Infallible>(response)
        }
    });
    // A browser that goes away has seen enough.
    let _ = http1::Builder::new()
        .serve_connection(TokioIo::new(stream), service)
        .await;
}

/// The address in the folder, of one that begins with where else the folder is.
fn inside(also: &str, address: &Uri) -> Option<Uri> {
    let inside = address.path().strip_prefix(also)?;
    inside.parse().ok().filter(|_| inside.starts_with('/'))
}

#[cfg(test)]
mod tests {
    use std::{
        io::{Read, Write},
        net::TcpStream,
    };

    use super::*;

    /// Asks as no browser would: the path is sent as it is.
    fn ask(address: SocketAddr, path: &str, accept: &str) -> String {
        let mut stream = TcpStream::connect(address).unwrap();
        let head = format!(
            "GET {path} HTTP/1.1\r\nhost: here\r\naccept-encoding: {accept}\r\nconnection: close\r\n\r\n"
        );
        stream.write_all(head.as_bytes()).unwrap();
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).unwrap();
        String::from_utf8_lossy(&answer).to_ascii_lowercase()
    }

    fn serving() -> (tempfile::TempDir, SocketAddr) {
        let outer = tempfile::tempdir().unwrap();
        std::fs::write(outer.path().join("secret.html"), "not for you").unwrap();
        let folder = outer.path().join("site");
        std::fs::create_dir_all(folder.join("page")).unwrap();
        for (name, text) in [
            ("index.html", "hello"),
            ("page/index.html", "a page"),
            ("a.wasm", "raw"),
            ("a.wasm.br", "packed"),
            ("a.js", "1"),
        ] {
            std::fs::write(folder.join(name), text).unwrap();
        }
        let server = Server::bind(&folder, 0).unwrap().also_at("/some/folder");
        let address = server.address().unwrap();
        thread::spawn(|| server.run());
        (outer, address)
    }

    #[test]
    fn files_have_their_types_and_what_lies_packed_is_sent_so() {
        let (_folder, address) = serving();
        let root = ask(address, "/", "");
        assert!(
            root.contains("200 ok")
                && root.contains("content-type: text/html")
                && root.ends_with("hello"),
            "{root}"
        );
        assert!(ask(address, "/page/", "").ends_with("a page"));
        assert!(ask(address, "/page", "").contains("location: /page/"));
        assert!(ask(address, "/a.js", "").contains("content-type: text/javascript"));
        let packed = ask(address, "/a.wasm", "gzip, br");
        assert!(
            packed.contains("content-type: application/wasm")
                && packed.contains("content-encoding: br"),
            "{packed}"
        );
        assert!(packed.ends_with("packed"));
        assert!(ask(address, "/a.wasm", "").ends_with("raw"));
        assert!(ask(address, "/nothing.html", "").contains("404"));
    }

    #[test]
    fn the_folder_may_be_elsewhere_on_the_host_too() {
        let (_folder, address) = serving();
        assert!(ask(address, "/some/folder/", "").ends_with("hello"));
        assert!(ask(address, "/some/folder/page/", "").ends_with("a page"));
        assert!(ask(address, "/some/folder/a.wasm?x=1", "br").ends_with("packed"));
        for path in ["/some/folderpage/", "/some/", "/other/folder/page/"] {
            assert!(ask(address, path, "").contains("404"), "{path}");
        }
    }

    #[test]
    fn nothing_outside_of_the_folder_is_sent() {
        let (_folder, address) = serving();
        for path in [
            "/../secret.html",
            "/%2e%2e/secret.html",
            "/page/../../secret.html",
            "/page/..%2f..%2fsecret.html",
            "/..\\secret.html",
            "//etc/passwd",
            "/%2fetc%2fpasswd",
            "/some/folder/../secret.html",
            "/some/folder/../../secret.html",
            "/some/folder//etc/passwd",
        ] {
            let answer = ask(address, path, "");
            assert!(
                !answer.contains("not for you")
                    && !answer.contains("root:")
                    && !answer.contains("200 ok"),
                "{path}: {answer}"
            );
        }
    }

    #[test]
    fn a_folder_without_pages_is_refused_in_a_line() {
        let folder = tempfile::tempdir().unwrap();
        let failure = Server::bind(folder.path(), 0).unwrap_err().to_string();
        assert!(
            failure.ends_with("there are no pages; `build` makes them"),
            "{failure}"
        );
    }
}
