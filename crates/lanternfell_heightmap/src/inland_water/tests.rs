//! What must hold of all waters, on several islands.
