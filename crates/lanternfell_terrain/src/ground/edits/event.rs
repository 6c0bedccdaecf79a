//! An event that edits a terrain, for code that does not know the units of a log, and for other programs.

use bevy::prelude::*;
use lanternfell_edits::{Brush, Falloff, Stroke, StrokeError};

use super::{EditablePlane, PartOf, TerrainEdits, local_stroke};
use crate::ground::{surface::TerrainSurface, terrain::Terrain};

type Editable = Or<((With<Terrain>, With<TerrainSurface>), With<EditablePlane>)>;

pub(super) fn plugin(app: &mut App) {
    app.register_type::<EditTerrain>().add_observer(edit);
}

/// Edits a [`Terrain`](crate::Terrain) or an [`EndlessTerrain`](crate::EndlessTerrain). Trigger it on the entity of a
/// `Terrain` that is complete, or of an `EndlessTerrain` whose source is loaded. Do not trigger it on a
/// [region](crate::TerrainRegion).
///
/// It adds [`TerrainEdits`] if the terrain has none. If the edit is invalid, a warning with the reason is logged, and
/// nothing changes.
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
    /// Redoes the stroke that the author undid last.
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
        space: &Space,
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
                let mut stroke = space.stroke(brush.clone(), *radius, points)?;
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

/// The local space of a terrain.
enum Space {
    Map(Box<TerrainSurface>),
    Plane(EditablePlane),
}

impl Space {
    fn of(terrain: &EntityWorldMut) -> Option<Self> {
        let plane = terrain.get::<EditablePlane>().copied().map(Self::Plane);
        let map = || {
            Some(Self::Map(Box::new(
                terrain.get::<TerrainSurface>()?.clone(),
            )))
        };
        plane.or_else(map)
    }

    fn stroke(
        &self,
        brush: Brush,
        radius: f32,
        points: impl IntoIterator<Item = Vec2>,
    ) -> Result<Stroke, StrokeError> {
        match self {
            Self::Map(surface) => surface.local_stroke(brush, radius, points),
            Self::Plane(plane) => {
                let origin = plane.origin.as_dvec2();
                local_stroke(brush, radius, points, plane.spacing, |at| origin + at)
            }
        }
    }
}

fn thousandths(strength: f32) -> Result<u16, BevyError> {
    match (0.0..=1.0).contains(&strength) {
        true => Ok((strength * 1000.0).round() as u16),
        false => Err(format!("the strength is {strength}, but must be from 0 to 1").into()),
    }
}

fn edit(
    event: On<EditTerrain>,
    terrains: Query<Option<&PartOf>, Editable>,
    mut commands: Commands,
) {
    let EditTerrain {
        entity,
        author,
        edit,
    } = event.event().clone();
    match terrains.get(entity) {
        Ok(None) => {}
        Ok(Some(PartOf(whole))) => {
            warn!("could not edit {entity}: it is a region. Edit the `EndlessTerrain` {whole}");
            return;
        }
        Err(_) => {
            warn!(
                "could not edit {entity}: it has no complete `Terrain` or loaded `EndlessTerrain`"
            );
            return;
        }
    }
    // A command, so that several events in a row find the component that the first one adds.
    commands.queue(move |world: &mut World| {
        let Ok(mut terrain) = world.get_entity_mut(entity) else {
            return;
        };
        let Some(space) = Space::of(&terrain) else {
            return;
        };
        let mut new = TerrainEdits::default();
        let result = match terrain.get_mut::<TerrainEdits>() {
            Some(mut edits) => {
                let result = edit.apply(author, edits.bypass_change_detection(), &space);
                if let Ok(true) = result {
                    edits.set_changed();
                }
                result
            }
            None => {
                let result = edit.apply(author, &mut new, &space);
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
