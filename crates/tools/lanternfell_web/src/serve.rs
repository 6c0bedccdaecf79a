//! A web server for the pages, on the loopback interface only.
//!
//! `tower-http` handles content types, ranges and compressed files, and rejects paths outside of the folder. This
//! module only accepts connections.

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

/// A server that is bound to a port, but does not answer requests yet.
#[derive(Debug)]
pub struct Server {
    listener: TcpListener,
    files: ServeDir,
    /// An additional path on the host at which the folder is served.
    also: &'static str,
}

impl Server {
    /// Binds to the port on the loopback interface. 0 selects a free port.
    ///
    /// # Errors
    /// If the folder has no pages, or the port is in use.
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

    /// Serves the folder also below this path, for example `/some/folder`.
    pub fn also_at(self, also: &'static str) -> Self {
        Self { also, ..self }
    }

    /// The address of the server.
    pub fn address(&self) -> io::Result<SocketAddr> {
        self.listener.local_addr()
    }

    /// Answers requests until the process ends.
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
                    // The connection closed early, or there are too many. Neither should stop the server. Connections
                    // end soon, so try again.
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
            // Makes browsers revalidate each file. Unchanged files are answered with "not modified".
            response
                .headers_mut()
                .insert(CACHE_CONTROL, HeaderValue::from_static("no-cache"));
            Ok::<_, Infallible>(response)
        }
    });
    // A browser that disconnects is not an error.
    let _ = http1::Builder::new()
        .serve_connection(TokioIo::new(stream), service)
        .await;
}

/// Removes the additional path from an address.
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

    /// Sends a path unchanged, unlike a browser.
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
    fn serves_types_and_compressed_files() {
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
    fn serves_additional_path() {
        let (_folder, address) = serving();
        assert!(ask(address, "/some/folder/", "").ends_with("hello"));
        assert!(ask(address, "/some/folder/page/", "").ends_with("a page"));
        assert!(ask(address, "/some/folder/a.wasm?x=1", "br").ends_with("packed"));
        for path in ["/some/folderpage/", "/some/", "/other/folder/page/"] {
            assert!(ask(address, path, "").contains("404"), "{path}");
        }
    }

    #[test]
    fn rejects_paths_outside_of_the_folder() {
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
    fn rejects_folder_without_pages() {
        let folder = tempfile::tempdir().unwrap();
        let failure = Server::bind(folder.path(), 0).unwrap_err().to_string();
        assert!(
            failure.ends_with("no pages found; run `build` first"),
            "{failure}"
        );
    }
}
