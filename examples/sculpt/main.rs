//! Dig, build and paint on an island: each drag of the pointer is a stroke, which can be undone.

use core::f32::consts::TAU;
use std::fs;

use bevy::{
    asset::RenderAssetUsages,
    camera::visibility::NoFrustumCulling,
    camera_controller::free_camera::{FreeCamera, FreeCameraPlugin},
    light::NotShadowCaster,
    mesh::PrimitiveTopology,
    prelude::*,
};
use bevy_picking::{
    DefaultPickingPlugins,
    events::{Move, Out, Pointer},
};
use lanternfell::{
    prelude::*,
    terrain::edits::{Brush, EditId, Stroke, StrokeError},
};

/// All strokes are by one author, who can undo them.
const AUTHOR: u32 = 1;

fn main() -> AppExit {
    App::new()
        .add_plugins((DefaultPlugins.or_headless(), DefaultPickingPlugins))
        .add_plugins((FreeCameraPlugin, TerrainPlugins))
        .init_resource::<Tool>()
        .init_resource::<Pointed>()
        .add_systems(Startup, setup)
        .add_systems(
            Update,
            (choose, sculpt, undo, save_and_load, drape_ring, describe).chain(),
        )
        .add_observer(sculpt_first)
        .run()
}

/// `lanternfell edit list sculpt.edits` lists the strokes in this file.
const FILE: &str = "sculpt.edits";

const TOOLS: [(KeyCode, &str, Brush); 8] = [
    (KeyCode::Digit1, "1 raise", Brush::Raise { mm: 300 }),
    (KeyCode::Digit2, "2 lower", Brush::Lower { mm: 300 }),
    (KeyCode::Digit3, "3 flatten", Brush::Flatten { mm: None }),
    (KeyCode::Digit4, "4 ramp", Brush::Slope),
    (KeyCode::Digit5, "5 smooth", Brush::Smooth { reach: 3 }),
    (
        KeyCode::Digit6,
        "6 erode",
        Brush::Erode { seed: 1, steps: 16 },
    ),
    (KeyCode::Digit7, "7 hole", Brush::Hole),
    // The layer of pebbles in the default `TerrainLayers`.
    (KeyCode::Digit8, "8 pebbles", Brush::Paint { layer: 8 }),
];

#[derive(Resource, Clone)]
struct Tool {
    /// The index in [`TOOLS`].
    index: usize,
    /// In meters.
    radius: f32,
}

impl Default for Tool {
    fn default() -> Self {
        Self {
            index: 0,
            radius: 6.0,
        }
    }
}

impl Tool {
    fn stroke(&self, surface: &TerrainSurface, at: Vec3) -> Result<Stroke, StrokeError> {
        surface.local_stroke(TOOLS[self.index].2.clone(), self.radius, [at.xz()])
    }
}

/// The point of the terrain under the pointer. The terrain is at the origin, so this is also a point in its local
/// space.
#[derive(Resource, Default)]
struct Pointed(Option<Vec3>);

#[derive(Component)]
struct Ring;

/// The number of sides of the ring.
const RING: usize = 64;

#[derive(Component)]
struct Help;

fn setup(
    mut commands: Commands,
    mut meshes: ResMut<Assets<Mesh>>,
    mut materials: ResMut<Assets<StandardMaterial>>,
) {
    let hills = Hills {
        island: true,
        ..default()
    };
    let island = Terrain::new(Recipe::new(MapSize::default(), 21, hills));
    commands
        .spawn((island, TerrainEdits::default()))
        .observe(|pointer: On<Pointer<Move>>, mut pointed: ResMut<Pointed>| {
            pointed.0 = pointer.hit.position;
        })
        .observe(|_: On<Pointer<Out>>, mut pointed: ResMut<Pointed>| pointed.0 = None);
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
    commands.spawn((
        Camera3d::default(),
        FreeCamera {
            mouse_key_cursor_grab: MouseButton::Right,
            ..default()
        },
        SkyFog::default(),
        Transform::from_xyz(-55.0, 40.0, 85.0).looking_at(Vec3::Y * 10.0, Vec3::Y),
    ));
    commands.spawn((
        Help,
        Text::default(),
        Node {
            margin: UiRect::all(px(12)),
            ..default()
        },
    ));
}

fn choose(keys: Res<ButtonInput<KeyCode>>, mut tool: ResMut<Tool>) {
    for (index, (key, ..)) in TOOLS.into_iter().enumerate() {
        if keys.just_pressed(key) {
            tool.index = index;
        }
    }
    let step = match (
        keys.just_pressed(KeyCode::BracketLeft),
        keys.just_pressed(KeyCode::BracketRight),
    ) {
        (true, false) => 0.8,
        (false, true) => 1.25,
        _ => return,
    };
    tool.radius = (tool.radius * step).clamp(1.0, 60.0);
}

type Edited<'w, 's> = Single<'w, 's, (&'static TerrainSurface, &'static mut TerrainEdits)>;

/// Makes a stroke longer while the left mouse button is pressed.
fn sculpt(
    buttons: Res<ButtonInput<MouseButton>>,
    tool: Res<Tool>,
    pointed: Res<Pointed>,
    terrain: Edited,
    mut drag: Local<Option<(EditId, Tool)>>,
) -> Result {
    let (surface, mut edits) = terrain.into_inner();
    if !buttons.pressed(MouseButton::Left)
        && let Some((id, _)) = drag.take()
    {
        edits.end_drag(id)?;
    }
    let Some(at) = pointed.0 else {
        return Ok(());
    };
    if buttons.just_pressed(MouseButton::Left) {
        let stroke = tool.stroke(surface, at)?;
        *drag = Some((edits.start_drag(AUTHOR, stroke)?.id, tool.clone()));
    } else if let Some((id, tool)) = &mut *drag
        && pointed.is_changed()
    {
        let stroke = tool.stroke(surface, at)?;
        if edits.extend_drag(*id, &stroke.points).is_err() {
            // The stroke is too long, so another one begins.
            edits.end_drag(*id)?;
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

fn save_and_load(keys: Res<ButtonInput<KeyCode>>, terrain: Edited) {
    let (_, mut edits) = terrain.into_inner();
    if keys.just_pressed(KeyCode::KeyO) {
        match fs::write(FILE, edits.to_bytes()) {
            Ok(()) => info!("saved {} strokes in {FILE}", edits.len()),
            Err(error) => warn!("cannot save {FILE}: {error}"),
        }
    }
    if keys.just_pressed(KeyCode::KeyL) {
        match load() {
            Ok(loaded) => *edits = loaded,
            Err(error) => warn!("cannot load {FILE}: {error}"),
        }
    }
}

fn load() -> Result<TerrainEdits> {
    Ok(TerrainEdits::from_bytes(&fs::read(FILE)?)?)
}

/// Lays the ring on the ground.
fn drape_ring(
    ring: Single<(&Mesh3d, &mut Visibility), With<Ring>>,
    mut meshes: ResMut<Assets<Mesh>>,
    pointed: Res<Pointed>,
    tool: Res<Tool>,
    terrains: TerrainQuery,
) {
    let (mesh, mut visibility) = ring.into_inner();
    let Some(middle) = pointed.0 else {
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

fn describe(tool: Res<Tool>, mut help: Single<&mut Text, With<Help>>) {
    if !tool.is_changed() {
        return;
    }
    let tools = TOOLS.map(|(_, name, _)| match name == TOOLS[tool.index].1 {
        true => format!("[{name}]"),
        false => name.to_owned(),
    });
    help.0 = format!(
        "left mouse button: {}\n[ ] radius {:.1} m    Z undo    Y redo    O save    L load    right mouse button: look",
        tools.join("  "),
        tool.radius
    );
}

/// Sculpts a plateau with a ramp, a ditch and a mound, as an example of strokes in code.
fn sculpt_first(
    ready: On<TerrainReady>,
    mut terrains: Query<(&TerrainSurface, &mut TerrainEdits)>,
) -> Result {
    let (surface, mut edits) = terrains.get_mut(ready.entity)?;
    if !edits.is_empty() {
        return Ok(());
    }
    let strokes: [(Brush, f32, &[Vec2]); 4] = [
        (
            Brush::Flatten { mm: Some(12_000) },
            15.0,
            &[Vec2::new(-10.0, 15.0)],
        ),
        (
            Brush::Slope,
            4.0,
            &[Vec2::new(-10.0, 22.0), Vec2::new(-25.0, 50.0)],
        ),
        (
            Brush::Lower { mm: 700 },
            3.0,
            &[
                Vec2::new(15.0, 22.0),
                Vec2::new(30.0, 35.0),
                Vec2::new(75.0, 40.0),
            ],
        ),
        (Brush::Raise { mm: 6000 }, 14.0, &[Vec2::new(-45.0, 10.0)]),
    ];
    for (brush, radius, line) in strokes {
        let stroke = surface.local_stroke(brush, radius, line.iter().copied())?;
        edits.stroke(AUTHOR, stroke)?;
    }
    Ok(())
}
