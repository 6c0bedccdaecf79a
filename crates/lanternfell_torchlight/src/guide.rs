//! How to do what most games do with light: a problem a page, the shortest program that works, what it costs, what
//! one must know, and what goes wrong.
//!
//! | page | the problem |
//! |---|---|
//! | [`stealth`] | who is seen, where it is dark, the way through the shadows, whose lamp it is |
//! | [`looks`] | soft, crisp or in bands; shapes by normals; the eye; light in a material of your own |
//! | [`time`] | turns and real time; how exact light is, how far it reaches, what is never lost |
//! | [`maps`] | cells from text and tile maps, doors, several maps, hexagons, maps that grow, many lamps |
//! | [`saving`] | a game saved with its light, and loaded |
//!
//! There is nothing to call in these modules. The tests compile all programs, and run those that need no window; the
//! shader is drawn with.

pub mod looks;
pub mod maps;
pub mod saving;
pub mod stealth;
pub mod time;
