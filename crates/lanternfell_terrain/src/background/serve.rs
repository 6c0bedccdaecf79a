//! Orders and answers: from work to bytes, from these to the work that is done, and back.
//!
//! ```text
//!   order     name of the work   what [`Order::write`] writes
//!   answer    MADE               what [`Order::write_made`] writes
//!             CANCELLED
//!             FAILED             text
//! ```
//!
//! An order and an answer must be used up to the last byte: rest bytes are an error, like missing ones, so that a reader
//! and a writer that differ are found out here and not in wrong ground. Which kinds of work there are, only
//! `serving.rs` knows, above all of them.
//!
//! An error crosses as text, because [`TerrainError`] holds errors that can not be built from outside. But most errors
//! are in the input, which both sides have. So the app checks the input itself ([`Order::check`]) once the worker says
//! that it failed, and gets the typed error; the text is only for what that does not find.

use lanternfell_heightmap::Progress;

use super::wire::{Damaged, Order, Sink, Source, put_text, put_whole, take_text, take_whole};
use crate::error::{TerrainError, Unmade};

/// What became of an order, in its answer's first number.
const MADE: u32 = 0;
const CANCELLED: u32 = 1;
pub(crate) const FAILED: u32 = 2;

/// The bytes of an order.
pub(crate) async fn write_order<W: Order>(work: &W, to: &mut impl Sink) {
    put_text(to, W::NAME);
    work.write(to).await;
}

/// Does what an order asks for whose kind is known.
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
        Err(Unmade::Cancelled) => put_whole(answer, CANCELLED),
        Err(Unmade::Failed(error)) => {
            put_whole(answer, FAILED);
            put_text(answer, &error.to_string());
        }
    }
    Ok(())
}

/// What the answer to that work says.
pub(crate) async fn read_answer<W: Order>(
    work: &W,
    answer: &mut impl Source,
) -> Result<W::Made, Unmade> {
    let read = read_whole_answer(work, answer).await;
    read.unwrap_or_else(|damaged| Err(failed(format!("the answer came damaged: {damaged}"))))
}

async fn read_whole_answer<W: Order>(
    work: &W,
    answer: &mut impl Source,
) -> Result<Result<W::Made, Unmade>, Damaged> {
    let found = match take_whole(answer)? {
        MADE => Ok(work.read_made(answer).await?),
        CANCELLED => Err(Unmade::Cancelled),
        // The error itself, and not only its words, if it is found here too.
        FAILED => {
            let why = take_text(answer)?;
            Err(work.check().map_or_else(Unmade::from, |()| failed(why)))
        }
        _ => return Err(Damaged::Kind),
    };
    end(answer)?;
    Ok(found)
}

/// It was not made, in the words of who tried to.
pub(super) fn failed(why: String) -> Unmade {
    TerrainError::Worker(why).into()
}

fn end(from: &impl Source) -> Result<(), Damaged> {
    match from.left() {
        0 => Ok(()),
        _ => Err(Damaged::Long),
    }
}
