//! Executes orders in the worker, for all kinds of work.

#[cfg(all(target_arch = "wasm32", feature = "web-worker"))]
mod worker_side;

use lanternfell_heightmap::Progress;

use crate::{
    background::{
        serve::{FAILED, serve_one},
        wire::{Damaged, Order, put_text, put_whole, take_text},
    },
    endless::plane_work::PlaneWork,
    ground::work::GroundWork,
    land::textures::work::TextureWork,
};

/// Executes an order and returns the bytes of the answer.
async fn serve(mut order: &[u8], progress: &Progress) -> Vec<u8> {
    let mut answer = Vec::new();
    if let Err(damaged) = serve_any(&mut order, progress, &mut answer).await {
        answer.clear();
        put_whole(&mut answer, FAILED);
        put_text(&mut answer, &format!("invalid order: {damaged}"));
    }
    answer
}

async fn serve_any(
    order: &mut &[u8],
    progress: &Progress,
    answer: &mut Vec<u8>,
) -> Result<(), Damaged> {
    match take_text(order)?.as_str() {
        GroundWork::NAME => serve_one::<GroundWork>(order, progress, answer).await,
        PlaneWork::NAME => serve_one::<PlaneWork>(order, progress, answer).await,
        TextureWork::NAME => serve_one::<TextureWork>(order, progress, answer).await,
        _ => Err(Damaged::Kind),
    }
}

#[cfg(test)]
mod tests;
