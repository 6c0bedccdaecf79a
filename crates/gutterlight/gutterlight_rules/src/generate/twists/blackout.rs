//! Blackout: no flame burns until a second bell rings. Sentries carry lanterns, so they are visible
//! from afar.

use crate::{generate::plan::Plan, guard::Lantern, rules::Posting};

pub(super) fn finish(plan: &mut Plan<'_>) {
    for lamp in plan.fixtures.iter_mut().filter(|lamp| lamp.kind.is_flame()) {
        (lamp.burning, lamp.spare) = (false, true);
    }
    for guard in &mut plan.guards {
        if plan.rules.guard(guard.kind).posting == Posting::Watch {
            guard.lantern = Lantern::Lit;
        }
    }
}
