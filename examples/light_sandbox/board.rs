//! The drawing as a map of light, with its lamps.

use bevy::{camera::ScalingMode, prelude::*};
use lanternfell::prelude::*;

use crate::{
    drawing::{Drawing, Lamp, Walls},
    tiles::TILE,
};

/// The share of light that casts shadows, unless something else is said.
pub const DIRECT: f32 = 0.6;

/// How light behaves, as the panel and the keys set it.
#[derive(Resource, Debug, Clone, Copy, PartialEq)]
pub struct Rules {
    pub settings: LightSettings,
    pub flow: LightFlow,
    pub display: LightDisplay,
    pub debug: LightDebug,
    /// Whether direct light is in finer cells on screen.
    pub fine: bool,
}

impl Default for Rules {
    fn default() -> Self {
        Self {
            settings: LightSettings {
                direct: DIRECT,
                ..default()
            },
            flow: LightFlow::default(),
            display: LightDisplay::default(),
            debug: LightDebug::default(),
            fine: true,
        }
    }
}

impl Rules {
    /// How fine light is on screen. Without direct light there is nothing to be seen of it.
    fn detail(&self) -> Option<LightDetail> {
        let direct = self.settings.direct;
        (self.fine && direct > 0.0).then_some(LightDetail {
            direct,
            ..default()
        })
    }

    /// The radius of a light of strength 1, in cells.
    pub fn radius(&self) -> f32 {
        self.settings.falloff.radius(self.settings.neighborhood)
    }

    /// Changes the radius, within what can be seen on the board.
    pub fn set_radius(&mut self, cells: f32) {
        self.settings.falloff = Falloff::Radius(cells.clamp(2.0, 80.0));
    }
}

/// A lamp of the drawing, and the dot that shows where it hangs.
#[derive(Component)]
struct LampOf(Lamp);

pub fn plugin(app: &mut App) {
    app.add_systems(
        Update,
        (
            lay_out.run_if(resource_changed::<Drawing>.or_else(resource_changed::<Walls>)),
            hang_lamps.run_if(resource_changed::<Drawing>),
            rule.run_if(resource_changed::<Rules>),
            fit_camera.run_if(resource_changed::<Drawing>),
        )
            .chain(),
    );
}

/// Brings the cells of the light map in line with the drawing.
fn lay_out(
    drawing: Res<Drawing>,
    walls: Res<Walls>,
    rules: Res<Rules>,
    mut maps: Query<(Entity, &mut LightMap)>,
    mut commands: Commands,
) -> Result {
    for (entity, mut map) in &mut maps {
        if map.grid().size() == drawing.size() {
            for (at, material) in drawing.cells() {
                map.set_cell(at, material.cell(*walls))?;
            }
            return Ok(());
        }
        commands.entity(entity).despawn();
    }
    let size = drawing.size();
    let mut grid = LightGrid::new(size.x, size.y, rules.settings)?;
    grid.set_cells(
        drawing
            .cells()
            .map(|(_, material)| material.cell(*walls))
            .collect(),
    )?;
    let mut map = commands.spawn((
        LightMap::new(grid).with_cell_size(TILE as f32),
        rules.flow,
        rules.display,
        rules.debug,
    ));
    if let Some(detail) = rules.detail() {
        map.insert(detail);
    }
    Ok(())
}

/// Lets the lamps' entities be those of the drawing.
fn hang_lamps(
    drawing: Res<Drawing>,
    mut hanging: Query<(Entity, &LampOf, &mut Transform)>,
    mut commands: Commands,
    mut meshes: ResMut<Assets<Mesh>>,
    mut materials: ResMut<Assets<ColorMaterial>>,
) {
    for (entity, lamp, mut transform) in &mut hanging {
        if drawing.lamps().contains(&lamp.0) {
            // In a drawing of another size the cell is elsewhere.
            transform.set_if_neq(lamp_place(&drawing, &lamp.0));
        } else {
            commands.entity(entity).despawn();
        }
    }
    for (n, lamp) in drawing.lamps().iter().enumerate() {
        if hanging.iter().any(|(_, hanging, _)| hanging.0 == *lamp) {
            continue;
        }
        commands.spawn((
            LampOf(*lamp),
            lamp.hue.light(),
            Flicker {
                depth: 0.12,
                ..Flicker::candle(n as u32)
            },
            Mesh2d(meshes.add(Circle::new(0.2 * TILE as f32))),
            MeshMaterial2d(materials.add(lamp.hue.color().mix(&Color::WHITE, 0.5))),
            lamp_place(&drawing, lamp),
        ));
    }
}

fn lamp_place(drawing: &Drawing, lamp: &Lamp) -> Transform {
    let at = UVec2::from(lamp.at).as_vec2();
    Transform::from_translation(place(drawing.size(), at).extend(ABOVE_LIGHT))
}

/// What lies over the light, and is not darkened by it.
pub const ABOVE_LIGHT: f32 = 200.0;

/// Where a point of the drawing, in cells, is in the world.
pub fn place(size: UVec2, cell: Vec2) -> Vec2 {
    let center = (size.as_vec2() - 1.0) / 2.0;
    (cell - center) * Vec2::new(1.0, -1.0) * TILE as f32
}

/// Which point of the drawing, in cells, is at a place in the world.
pub fn cell_at(size: UVec2, place: Vec2) -> Vec2 {
    let center = (size.as_vec2() - 1.0) / 2.0;
    place / TILE as f32 * Vec2::new(1.0, -1.0) + center
}

/// Applies the rules to the map.
fn rule(
    rules: Res<Rules>,
    mut maps: Query<(
        Entity,
        &mut LightMap,
        &mut LightFlow,
        &mut LightDisplay,
        &mut LightDebug,
    )>,
    mut commands: Commands,
) -> Result {
    for (entity, mut map, mut flow, mut display, mut debug) in &mut maps {
        map.set_settings(rules.settings)?;
        flow.set_if_neq(rules.flow);
        display.set_if_neq(rules.display);
        debug.set_if_neq(rules.debug);
        match rules.detail() {
            Some(detail) => commands.entity(entity).insert(detail),
            None => commands.entity(entity).try_remove::<LightDetail>(),
        };
    }
    Ok(())
}

/// The whole drawing is always in view.
fn fit_camera(drawing: Res<Drawing>, mut camera: Single<&mut Projection, With<Camera2d>>) {
    let size = (drawing.size() * TILE).as_vec2();
    **camera = Projection::Orthographic(OrthographicProjection {
        scaling_mode: ScalingMode::AutoMin {
            min_width: size.x,
            min_height: size.y,
        },
        ..OrthographicProjection::default_2d()
    });
}
