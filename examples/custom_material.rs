//! A terrain with a custom material: a fragment shader draws contour lines.
//!
//! The material is kept when the terrain is regenerated or its level of detail changes. Press Space to switch between
//! this material and the default one.

use bevy::{
    asset::embedded_asset,
    camera_controller::free_camera::{FreeCamera, FreeCameraPlugin},
    pbr::{ExtendedMaterial, MaterialExtension},
    prelude::*,
    render::render_resource::{AsBindGroup, ShaderType},
    shader::ShaderRef,
};
use lanternfell::{prelude::*, terrain::TerrainMaterialPlugin};

/// The standard material, extended with contour lines.
type ContourMaterial = ExtendedMaterial<StandardMaterial, Contours>;

#[derive(Asset, TypePath, AsBindGroup, Debug, Clone)]
struct Contours {
    #[uniform(100)]
    lines: Lines,
}

#[derive(ShaderType, Debug, Clone)]
struct Lines {
    ink: Vec4,
    /// Meters between lines. Every fifth line is thicker.
    step: f32,
    /// Line width in pixels.
    width: f32,
    /// Height in meters at which the color ramp ends.
    top: f32,
    /// Padding: in WebGL2, the size of a uniform must be a multiple of 16 bytes.
    unused: f32,
}

impl MaterialExtension for Contours {
    fn fragment_shader() -> ShaderRef {
        "embedded://custom_material/contours.wgsl".into()
    }
}

fn main() -> AppExit {
    let mut app = App::new();
    app.add_plugins((
        DefaultPlugins.or_headless(),
        FreeCameraPlugin,
        TerrainPlugin,
    ));
    embedded_asset!(app, "examples/", "contours.wgsl");
    app.add_plugins((
        MaterialPlugin::<ContourMaterial>::default(),
        TerrainMaterialPlugin::<ContourMaterial>::default(),
    ))
    .insert_resource(ClearColor(Color::srgb(0.80, 0.84, 0.86)))
    .add_systems(Startup, setup)
    .add_systems(Update, change_material)
    .run()
}

fn setup(mut commands: Commands, mut materials: ResMut<Assets<ContourMaterial>>) {
    let paper = materials.add(ContourMaterial {
        base: StandardMaterial {
            base_color: Color::srgb(0.93, 0.89, 0.78),
            perceptual_roughness: 0.9,
            reflectance: 0.1,
            ..default()
        },
        extension: Contours {
            lines: Lines {
                ink: Color::srgb(0.42, 0.24, 0.12).to_linear().to_vec4(),
                step: 2.0,
                width: 1.5,
                top: 60.0,
                unused: 0.0,
            },
        },
    });
    let hills = Hills {
        island: true,
        ..default()
    };
    let size = MapSize::new(400, 400).expect("400x400 is a valid map size");
    let island = Recipe::new(size, 4, hills);
    commands.spawn((Terrain::new(island), TerrainMaterial(paper.clone())));
    commands.insert_resource(Paper(paper));
    commands.spawn((
        DirectionalLight::default(),
        Transform::from_xyz(2.0, 3.0, 1.0).looking_at(Vec3::ZERO, Vec3::Y),
    ));
    commands.spawn((
        Camera3d::default(),
        FreeCamera::default(),
        Transform::from_xyz(-120.0, 130.0, 200.0).looking_at(Vec3::Y * 5.0, Vec3::Y),
    ));
}

#[derive(Resource)]
struct Paper(Handle<ContourMaterial>);

fn change_material(
    keys: Res<ButtonInput<KeyCode>>,
    paper: Res<Paper>,
    mut commands: Commands,
    lands: Query<(Entity, Has<TerrainMaterial<ContourMaterial>>), With<Terrain>>,
) {
    if !keys.just_pressed(KeyCode::Space) {
        return;
    }
    for (land, is_paper) in &lands {
        let mut land = commands.entity(land);
        if is_paper {
            land.remove::<TerrainMaterial<ContourMaterial>>();
        } else {
            land.insert(TerrainMaterial(paper.0.clone()));
        }
    }
}
