//! A server and clients over a simulated network that loses, reorders and repeats packets.

mod hostile;
mod limits;
mod network;
mod players;
mod sharing;
mod size;
