//! Compares logs of edits with a slow model that applies all strokes to plain arrays.

mod bytes;
mod drags;
mod erosion;
mod far;
mod limits;
mod measures;
mod merging;
mod model;
mod modifiers;
mod order;
mod random;
mod ribbon;
mod undo;
