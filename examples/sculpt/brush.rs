//! The brushes. A stroke gets longer while the left mouse button is pressed.

use core::f32::consts::TAU;

use bevy::{
    asset::RenderAssetUsages, camera::visibility::NoFrustumCulling,
    input::mouse::AccumulatedMouseScroll, light::NotShadowCaster, mesh::PrimitiveTopology,
    prelude::*,
};
use lanternfell::{
    prelude::*,
    terrain::edits::{Brush, EditId, Falloff, Stroke, StrokeError},
};

use crate::{AUTHOR, Pointed, handles::Handles, has_keys, is_over_terrain};

pub fn plugin(app: &mut App) {
    app.init_resource::<Tool>()
        .add_systems(Startup, spawn_ring)
        .add_systems(
            Update,
            (
                (choose, undo).run_if(has_keys),
                turn_wheel.run_if(is_over_terrain),
                sculpt,
                drape_ring,
            )
                .chain()
                .after(crate::handles::drag),
        );
}

/// The keys and names of the brushes.
pub const TOOLS: [(KeyCode, &str, Brush); 10] = [
    (KeyCode::Digit1, "raise", Brush::Raise { mm: 300 }),
    (KeyCode::Digit2, "lower", Brush::Lower { mm: 300 }),
    (KeyCode::Digit3, "flatten", Brush::Flatten { mm: None }),
    (KeyCode::Digit4, "ramp", Brush::Slope),
    (KeyCode::Digit5, "smooth", Brush::Smooth { reach: 3 }),
    (
        KeyCode::Digit6,
        "erode",
        Brush::Erode { seed: 1, steps: 16 },
    ),
    (KeyCode::Digit7, "hole", Brush::Hole),
    (KeyCode::Digit8, "close hole", Brush::Unhole),
    // The layer of pebbles in the default `TerrainLayers`.
    (KeyCode::Digit9, "pebbles", Brush::Paint { layer: 8 }),
    (
        KeyCode::Digit0,
        "clear plants",
        Brush::Plants { density: 0 },
    ),
];

/// The chosen brush.
#[derive(Resource, Clone, PartialEq)]
pub struct Tool {
    /// The index in [`TOOLS`].
    pub index: usize,
    /// In meters.
    pub radius: f32,
    /// From 0 to 1.
    pub strength: f32,
    pub falloff: Falloff,
}

impl Default for Tool {
    fn default() -> Self {
        Self {
            index: 0,
            radius: 6.0,
            strength: 1.0,
            falloff: Falloff::default(),
        }
    }
}

impl Tool {
    pub const RADII: core::ops::RangeInclusive<f32> = 1.0..=60.0;

    fn stroke(&self, surface: &TerrainSurface, at: Vec3) -> Result<Stroke, StrokeError> {
        let stroke = surface.local_stroke(TOOLS[self.index].2.clone(), self.radius, [at.xz()])?;
        Ok(Stroke {
            falloff: self.falloff,
            strength: (self.strength * 1000.0) as u16,
            ..stroke
        })
    }
}

fn choose(keys: Res<ButtonInput<KeyCode>>, mut tool: ResMut<Tool>) {
    for (index, (key, ..)) in TOOLS.into_iter().enumerate() {
        if keys.just_pressed(key) {
            tool.index = index;
        }
    }
}

/// The wheel changes the radius, and with Shift the strength. While a ball is held, it changes that instead.
fn turn_wheel(
    keys: Res<ButtonInput<KeyCode>>,
    scroll: Res<AccumulatedMouseScroll>,
    handles: Handles,
    mut tool: ResMut<Tool>,
) {
    let turned = scroll.delta.x + scroll.delta.y;
    if turned == 0.0 || handles.are_held() {
        return;
    }
    if keys.any_pressed([KeyCode::ShiftLeft, KeyCode::ShiftRight]) {
        tool.strength = (tool.strength + 0.05 * turned.signum()).clamp(0.05, 1.0);
    } else {
        let (least, most) = Tool::RADII.into_inner();
        tool.radius = (tool.radius * 1.15_f32.powf(turned.signum())).clamp(least, most);
    }
}

type Edited<'w, 's> = Single<'w, 's, (&'static TerrainSurface, &'static mut TerrainEdits)>;

/// Makes a stroke longer while the left mouse button is pressed.
fn sculpt(
    buttons: Res<ButtonInput<MouseButton>>,
    (tool, pointed, handles): (Res<Tool>, Res<Pointed>, Handles),
    panel: Res<bevy_egui::input::EguiWantsInput>,
    terrain: Edited,
    mut drag: Local<Option<(EditId, Tool)>>,
) -> Result {
    let (surface, mut edits) = terrain.into_inner();
    if !buttons.pressed(MouseButton::Left)
        && let Some((id, _)) = drag.take()
    {
        // It may be gone: a file was loaded.
        edits.end_drag(id).ok();
    }
    let Some(at) = pointed.0 else {
        return Ok(());
    };
    let is_free = is_over_terrain(panel) && !handles.are_near();
    if buttons.just_pressed(MouseButton::Left) && is_free {
        let stroke = tool.stroke(surface, at)?;
        *drag = Some((edits.start_drag(AUTHOR, stroke)?.id, tool.clone()));
    } else if let Some((id, tool)) = &mut *drag
        && pointed.is_changed()
    {
        let stroke = tool.stroke(surface, at)?;
        if edits.extend_drag(*id, &stroke.points).is_err() {
            // The stroke is too long, so another one begins.
            edits.end_drag(*id).ok();
            *id = edits.start_drag(AUTHOR, stroke)?.id;
        }
    }
    Ok(())
}

fn undo(keys: Res<ButtonInput<KeyCode>>, terrain: Edited) -> Result {
    let (_, mut edits) = terrain.into_inner();
    if keys.just_pressed(KeyCode::KeyZ) {
        edits.undo(AUTHOR)?;
    }
    if keys.just_pressed(KeyCode::KeyY) {
        edits.redo(AUTHOR)?;
    }
    Ok(())
}

#[derive(Component)]
struct Ring;

/// The number of sides of the ring.
const RING: usize = 64;

fn spawn_ring(
    mut commands: Commands,
    mut meshes: ResMut<Assets<Mesh>>,
    mut materials: ResMut<Assets<StandardMaterial>>,
) {
    let line = Mesh::new(PrimitiveTopology::LineStrip, RenderAssetUsages::all())
        .with_inserted_attribute(Mesh::ATTRIBUTE_POSITION, vec![Vec3::ZERO; RING + 1]);
    let yellow = StandardMaterial {
        base_color: Color::srgb(1.0, 0.85, 0.25),
        unlit: true,
        ..default()
    };
    commands.spawn((
        Ring,
        Mesh3d(meshes.add(line)),
        MeshMaterial3d(materials.add(yellow)),
        NotShadowCaster,
        NoFrustumCulling,
        Visibility::Hidden,
    ));
}

/// Lays the ring on the ground.
fn drape_ring(
    ring: Single<(&Mesh3d, &mut Visibility), With<Ring>>,
    mut meshes: ResMut<Assets<Mesh>>,
    (pointed, tool, handles): (Res<Pointed>, Res<Tool>, Handles),
    terrains: TerrainQuery,
) {
    let (mesh, mut visibility) = ring.into_inner();
    let Some(middle) = pointed.0.filter(|_| !handles.are_near()) else {
        *visibility = Visibility::Hidden;
        return;
    };
    *visibility = Visibility::Visible;
    let on_ground = |step: usize| {
        let turn = Vec2::from_angle(step as f32 / RING as f32 * TAU) * tool.radius;
        let at = middle + Vec3::new(turn.x, 0.0, turn.y);
        let height = terrains.height(at).unwrap_or(middle.y);
        [at.x, height + 0.2, at.z]
    };
    let line: Vec<[f32; 3]> = (0..=RING).map(on_ground).collect();
    if let Some(mut mesh) = meshes.get_mut(&mesh.0) {
        mesh.insert_attribute(Mesh::ATTRIBUTE_POSITION, line);
    }
}
