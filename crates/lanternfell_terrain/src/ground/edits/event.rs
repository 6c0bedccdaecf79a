//! An event that edits a terrain, for code that does not know the units of a log, and for other programs.

use bevy::prelude::*;
use lanternfell_edits::{Brush, Falloff};

use super::TerrainEdits;
use crate::ground::{
    surface::TerrainSurface,
    terrain::{Terrain, with_terrain},
};

type Editable = (With<Terrain>, With<TerrainSurface>);

pub(super) fn plugin(app: &mut App) {
    app.register_type::<EditTerrain>().add_observer(edit);
}

/// Edits a [`Terrain`](crate::Terrain). Trigger it on the entity of a terrain that is complete.
///
/// It adds [`TerrainEdits`] if the terrain has none. If the edit is invalid, a warning with the reason is logged, and
/// nothing changes. It has no effect on an [`EndlessTerrain`](crate::EndlessTerrain). Do not edit the regions of one,
/// because they are replaced.
///
/// ```
/// use bevy::prelude::*;
/// use lanternfell_terrain::{EditTerrain, TerrainEdit, edits::Brush, prelude::*};
///
/// /// Blows a crater into the terrain.
/// fn explode(at: Vec2, terrain: Entity, commands: &mut Commands) {
///     commands.entity(terrain).trigger(|entity| EditTerrain {
///         entity,
///         author: 1,
///         edit: TerrainEdit::stroke(Brush::Lower { mm: 2500 }, 6.0, [at]),
///     });
/// }
/// # let _ = explode;
/// ```
///
/// Other programs can trigger it with the [Bevy Remote Protocol](https://docs.rs/bevy/0.19/bevy/remote), with the method
/// `world.trigger_event`.
#[derive(EntityEvent, Reflect, Debug, Clone, PartialEq)]
#[reflect(Event, Debug, Clone, PartialEq)]
pub struct EditTerrain {
    /// The terrain.
    pub entity: Entity,
    /// The author, for example the number of a player. Each author undoes only their own strokes.
    pub author: u32,
    /// What to do.
    pub edit: TerrainEdit,
}

/// What [`EditTerrain`] does.
#[derive(Reflect, Debug, Clone, PartialEq)]
#[reflect(Debug, Clone, PartialEq)]
pub enum TerrainEdit {
    /// Adds a stroke.
    Stroke {
        /// What the stroke does.
        brush: Brush,
        /// The radius of the brush in meters.
        radius: f32,
        /// The corners of its line along x and z in meters, in the terrain's local space. A single point is a dab.
        points: Vec<Vec2>,
        /// How the effect decreases toward the radius.
        falloff: Falloff,
        /// The strength, from 0 to 1.
        strength: f32,
    },
    /// Undoes the last stroke of the author that is not undone.
    Undo,
    /// Brings back the stroke that the author undid last.
    Redo,
}

impl TerrainEdit {
    /// A stroke at full strength. See [`TerrainEdit::Stroke`] for the units.
    pub fn stroke(brush: Brush, radius: f32, points: impl IntoIterator<Item = Vec2>) -> Self {
        Self::Stroke {
            brush,
            radius,
            points: points.into_iter().collect(),
            falloff: Falloff::default(),
            strength: 1.0,
        }
    }

    /// Returns whether there was anything to do.
    fn apply(
        &self,
        author: u32,
        edits: &mut TerrainEdits,
        surface: &TerrainSurface,
    ) -> Result<bool, BevyError> {
        Ok(match self {
            Self::Stroke {
                brush,
                radius,
                points,
                falloff,
                strength,
            } => {
                let points = points.iter().copied();
                let mut stroke = surface.local_stroke(brush.clone(), *radius, points)?;
                stroke.falloff = *falloff;
                stroke.strength = thousandths(*strength)?;
                edits.stroke(author, stroke)?;
                true
            }
            Self::Undo => edits.undo(author)?.is_some(),
            Self::Redo => edits.redo(author)?.is_some(),
        })
    }
}

fn thousandths(strength: f32) -> Result<u16, BevyError> {
    match (0.0..=1.0).contains(&strength) {
        true => Ok((strength * 1000.0).round() as u16),
        false => Err(format!("the strength is {strength}, but must be from 0 to 1").into()),
    }
}

fn edit(event: On<EditTerrain>, terrains: Query<(), Editable>, mut commands: Commands) {
    let EditTerrain {
        entity,
        author,
        edit,
    } = event.event().clone();
    if !terrains.contains(entity) {
        warn!(
            "could not edit {entity}: it is no complete `Terrain`, or a region of an endless one"
        );
        return;
    }
    // A command, so that several events in a row find the component that the first one adds.
    with_terrain(&mut commands, entity, move |mut terrain| {
        let Some(surface) = terrain.get::<TerrainSurface>().cloned() else {
            return;
        };
        let mut new = TerrainEdits::default();
        let result = match terrain.get_mut::<TerrainEdits>() {
            Some(mut edits) => {
                let result = edit.apply(author, edits.bypass_change_detection(), &surface);
                if let Ok(true) = result {
                    edits.set_changed();
                }
                result
            }
            None => {
                let result = edit.apply(author, &mut new, &surface);
                if let Ok(true) = result {
                    terrain.insert(new);
                }
                result
            }
        };
        if let Err(error) = result {
            warn!("could not edit {entity}: {error}");
        }
    });
}
