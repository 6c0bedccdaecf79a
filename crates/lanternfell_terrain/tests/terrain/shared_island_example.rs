//! Runs `examples/shared_island`: a server and clients over loopback.

use std::net::TcpListener;

use lanternfell_test_support::{Program, check_refused, errors};

#[test]
fn shared_island_is_the_same_everywhere() {
    let output = Program::example("shared_island").run(&["demo"], &[]);
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{text}{}", errors(&output));
    for words in [
        "Error: the server refused an edit: the radius",
        "All terrains are the same.",
    ] {
        assert!(text.contains(words), "{text}");
    }
}

#[test]
fn shared_island_rejects_arguments_and_ports() {
    let used = TcpListener::bind("127.0.0.1:0").unwrap();
    let used = used.local_addr().unwrap().port().to_string();
    // Nobody listens on a port that was just closed.
    let closed = TcpListener::bind("127.0.0.1:0").unwrap().local_addr();
    let closed = closed.unwrap().to_string();
    let cases: &[(&[&str], &[&str])] = &[
        (&[], &["server, client, demo", "--help"]),
        (&["host"], &["'host'"]),
        (&["server", "--port", "70000"], &["'70000'", "--port"]),
        (
            &["server", "--port", &used],
            &["cannot listen on port", &used],
        ),
        (&["client", "--connect", "here"], &["'here'", "--connect"]),
        (
            &["client", "--connect", &closed],
            &["cannot connect", &closed],
        ),
    ];
    for (args, words) in cases {
        check_refused(&Program::example("shared_island").run(args, &[]), words);
    }
}
