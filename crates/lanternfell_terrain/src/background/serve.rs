//! Messages between the app and the worker: orders with work, and answers with results.
//!
//! ```text
//!   order     name of the work   output of [`Order::write`]
//!   answer    MADE               output of [`Order::write_made`]
//!             CANCELED
//!             FAILED             error text
//! ```
//!
//! An order and an answer must be consumed to the last byte. Extra bytes are an error, like missing ones, so that a
//! mismatch between reader and writer is detected here and not as wrong terrain. Only `serving.rs`, on top of all kinds
//! of work, knows which kinds there are.
//!
//! Errors are sent as text, because [`TerrainError`] contains errors that can not be constructed elsewhere. But most
//! errors are in the input, which both sides have. So when the worker reports an error, the app checks the input itself
//! ([`Order::check`]) to get the typed error. The text is only used if this check passes.

use lanternfell_heightmap::Progress;

use super::wire::{Damaged, Order, Sink, Source, put_text, put_whole, take_text, take_whole};
use crate::error::{TerrainError, Unmade};

/// The first number of an answer: the outcome of the order.
const MADE: u32 = 0;
const CANCELED: u32 = 1;
pub(crate) const FAILED: u32 = 2;

/// Writes an order.
pub(crate) async fn write_order<W: Order>(work: &W, to: &mut impl Sink) {
    put_text(to, W::NAME);
    work.write(to).await;
}

/// Executes an order of a known kind, and writes its answer.
pub(crate) async fn serve_one<W: Order>(
    order: &mut &[u8],
    progress: &Progress,
    answer: &mut Vec<u8>,
) -> Result<(), Damaged> {
    let work = W::read(order).await?;
    end(order)?;
    match work.make(progress) {
        Ok(made) => {
            put_whole(answer, MADE);
            work.write_made(&made, answer).await;
        }
        Err(Unmade::Canceled) => put_whole(answer, CANCELED),
        Err(Unmade::Failed(error)) => {
            put_whole(answer, FAILED);
            put_text(answer, &error.to_string());
        }
    }
    Ok(())
}

/// Reads the answer to an order.
pub(crate) async fn read_answer<W: Order>(
    work: &W,
    answer: &mut impl Source,
) -> Result<W::Made, Unmade> {
    let read = read_whole_answer(work, answer).await;
    read.unwrap_or_else(|damaged| Err(failed(format!("the worker's answer is invalid: {damaged}"))))
}

async fn read_whole_answer<W: Order>(
    work: &W,
    answer: &mut impl Source,
) -> Result<Result<W::Made, Unmade>, Damaged> {
    let found = match take_whole(answer)? {
        MADE => Ok(work.read_made(answer).await?),
        CANCELED => Err(Unmade::Canceled),
        // Prefers the typed error if the app finds it too.
        FAILED => {
            let why = take_text(answer)?;
            Err(work.check().map_or_else(Unmade::from, |()| failed(why)))
        }
        _ => return Err(Damaged::Kind),
    };
    end(answer)?;
    Ok(found)
}

/// An error with the text of the worker.
pub(super) fn failed(why: String) -> Unmade {
    TerrainError::Worker(why).into()
}

fn end(from: &impl Source) -> Result<(), Damaged> {
    match from.left() {
        0 => Ok(()),
        _ => Err(Damaged::Long),
    }
}
