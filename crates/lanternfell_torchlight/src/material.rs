//! The materials of the two quads over a map: the light multiplies what is below it, and the debug
//! overlay covers it.

use bevy::{
    asset::embedded_asset,
    mesh::MeshVertexBufferLayoutRef,
    prelude::*,
    render::render_resource::{
        AsBindGroup, BlendComponent, BlendFactor, BlendOperation, BlendState,
        RenderPipelineDescriptor, ShaderType, SpecializedMeshPipelineError, TextureFormat,
    },
    shader::{ShaderRef, load_shader_library},
    sprite_render::{AlphaMode2d, Material2d, Material2dKey, Material2dPlugin},
};

use crate::{
    display::LightStyle,
    frame::LightPlane,
    layer::{Layer, ShownItem, Square, take_up, update_quads},
    systems::PresentSystems,
};

pub(crate) fn plugin(app: &mut App) {
    load_shader_library!(app, "shaders/lattice.wgsl");
    embedded_asset!(app, "shaders/torchlight.wgsl");
    embedded_asset!(app, "shaders/overlay.wgsl");
    app.init_resource::<Square>()
        .add_plugins((
            Material2dPlugin::<LightMaterial>::default(),
            Material2dPlugin::<OverlayMaterial>::default(),
        ))
        .add_systems(
            PostUpdate,
            (
                update_quads::<LightMaterial>,
                update_quads::<OverlayMaterial>,
            )
                .chain()
                .in_set(PresentSystems::Quads),
        )
        .add_observer(take_up::<LightMaterial>)
        .add_observer(take_up::<OverlayMaterial>);
}

/// Multiplies everything below by the light of a map. The plugin keeps it up to date with
/// [`LightDisplay`](crate::LightDisplay).
#[derive(Asset, TypePath, AsBindGroup, Debug, Default, Clone, PartialEq)]
pub struct LightMaterial {
    #[uniform(0)]
    display: DisplayUniform,
    #[texture(1)]
    light: Handle<Image>,
}

/// Matches `Display` in `torchlight.wgsl`.
#[derive(ShaderType, Debug, Default, Clone, PartialEq)]
struct DisplayUniform {
    floor: Vec3,
    exposure: f32,
    cells: Vec2,
    inverse_gamma: f32,
    style: f32,
    lattice: i32,
    edge: f32,
    grown: Vec2,
    /// The fourth component is 1 if there is light outside of the map.
    beyond: Vec4,
    /// Texels along the side of a cell.
    subdivisions: f32,
    webgl2_padding: Vec3,
}

/// How far the light outside of a map extends, in cells.
const FAR: f32 = 4096.0;

/// The margin if there is no light outside, in cells.
///
/// Tile maps end exactly where the light map ends. Rounding may put either border on the other side
/// of a pixel center, so a small margin is needed. It must be small, so that adjacent maps do not
/// both light the pixels between them.
const NEAR: f32 = 1e-3;

impl Layer for LightMaterial {
    const LIFT: f32 = 0.0;

    fn margin(shown: &ShownItem) -> f32 {
        match shown.display.beyond {
            Some(_) => FAR * shown.map.valid_cell_size(),
            None => NEAR * shown.map.valid_cell_size(),
        }
    }

    fn of(shown: &ShownItem) -> Option<Self> {
        let (map, display) = (shown.map, shown.display);
        if !display.shown || map.plane == LightPlane::Xz {
            return None;
        }
        let style = match display.style {
            LightStyle::Smooth => 0.0,
            LightStyle::Cells => -1.0,
            // An 8-bit screen can show 256 steps.
            LightStyle::Banded(steps) => steps.clamp(1, 256) as f32,
        };
        // The style `Cells` shows the cells of the map, not the texels of `SoftShadows`.
        let detail = shown.detail.filter(|_| style >= 0.0);
        let (subdivisions, image) =
            match detail.and_then(|(texture, work)| Some((work.shown()?, texture))) {
                Some((subdivisions, texture)) => (subdivisions as f32, &texture.0),
                None => (1.0, &shown.texture.0),
            };
        let beyond = display.sane_beyond();
        // The shader treats the texels of `SoftShadows` as smaller cells, so lengths in cells are
        // scaled too.
        let extent = map.extent();
        Some(Self {
            display: DisplayUniform {
                floor: display.sane_floor(),
                exposure: display.sane_exposure(),
                cells: map.grid().size().as_vec2() * subdivisions,
                inverse_gamma: display.sane_gamma().recip(),
                style,
                lattice: map.lattice().number(),
                edge: display.sane_edge() * subdivisions,
                // The quad is larger than the map by its margin. The shader undoes this to find the
                // position on the map.
                grown: (extent + 2.0 * Self::margin(shown)) / extent,
                beyond: beyond.map_or(Vec4::ZERO, |beyond| beyond.extend(1.0)),
                subdivisions,
                webgl2_padding: Vec3::ZERO,
            },
            light: image.clone(),
        })
    }
}

/// Target times light.
const MULTIPLY: BlendState = multiply(BlendFactor::Zero);

/// `source * target + target * target_factor`: multiplies the source with the target, and adds a
/// second term of the target. The alpha of the target is unchanged.
pub(crate) const fn multiply(target_factor: BlendFactor) -> BlendState {
    BlendState {
        color: BlendComponent {
            src_factor: BlendFactor::Dst,
            dst_factor: target_factor,
            operation: BlendOperation::Add,
        },
        alpha: BlendComponent {
            src_factor: BlendFactor::Zero,
            dst_factor: BlendFactor::One,
            operation: BlendOperation::Add,
        },
    }
}

/// Render target formats that can store values above 1.
const HDR_FORMATS: [TextureFormat; 3] = [
    TextureFormat::Rgba16Float,
    TextureFormat::Rgba32Float,
    TextureFormat::Rg11b10Ufloat,
];

impl Material2d for LightMaterial {
    fn fragment_shader() -> ShaderRef {
        "embedded://lanternfell_torchlight/shaders/torchlight.wgsl".into()
    }

    fn alpha_mode(&self) -> AlphaMode2d {
        // Puts the quad into the transparent phase, sorted by z with sprites, tile maps and text.
        // `specialize` replaces the blend state.
        AlphaMode2d::Blend
    }

    fn specialize(
        descriptor: &mut RenderPipelineDescriptor,
        _: &MeshVertexBufferLayoutRef,
        _: Material2dKey<Self>,
    ) -> Result<(), SpecializedMeshPipelineError> {
        let Some(fragment) = &mut descriptor.fragment else {
            return Ok(());
        };
        for target in fragment.targets.iter_mut().flatten() {
            target.blend = Some(MULTIPLY);
            // On a target with 8 bits, the shader compresses light above 1. On an HDR target, tone
            // mapping does this later.
            if HDR_FORMATS.contains(&target.format) {
                fragment.shader_defs.push("HDR_TARGET".into());
            }
        }
        Ok(())
    }
}

/// Covers a map with false colors, numbers and outlines. The plugin keeps it up to date with
/// [`LightDebug`](crate::LightDebug) and [`LightDisplay::heat`](crate::LightDisplay::heat).
#[derive(Asset, TypePath, AsBindGroup, Debug, Default, Clone, PartialEq)]
pub struct OverlayMaterial {
    #[uniform(0)]
    overlay: OverlayUniform,
    #[texture(1)]
    light: Handle<Image>,
    /// The state of each tile: the last change of its light, and whether it is awake.
    #[texture(2)]
    tiles: Option<Handle<Image>>,
}

/// Matches `Overlay` in `overlay.wgsl`.
#[derive(ShaderType, Debug, Default, Clone, PartialEq)]
struct OverlayUniform {
    cells: Vec2,
    tile_side: f32,
    heat: f32,
    values: f32,
    tiles: f32,
    lattice: i32,
    webgl2_padding: f32,
}

impl Layer for OverlayMaterial {
    /// Above the light.
    const LIFT: f32 = 1.0;

    fn of(shown: &ShownItem) -> Option<Self> {
        let debug = shown.debug.copied().unwrap_or_default();
        let heat = shown.display.heat;
        let any = heat || debug.values || debug.tiles;
        if !any || shown.map.plane == LightPlane::Xz {
            return None;
        }
        let side = shown.tiles.map_or(0, |tiles| tiles.side);
        let flag = |on: bool| f32::from(u8::from(on));
        Some(Self {
            overlay: OverlayUniform {
                cells: shown.map.grid().size().as_vec2(),
                tile_side: side as f32,
                heat: flag(heat),
                values: flag(debug.values),
                tiles: flag(debug.tiles && side > 0),
                lattice: shown.map.lattice().number(),
                // WebGL2 requires that the size of uniform structs is a multiple of 16 bytes.
                webgl2_padding: 0.0,
            },
            light: shown.texture.0.clone(),
            tiles: shown.tiles.map(|tiles| tiles.image.clone()),
        })
    }
}

impl Material2d for OverlayMaterial {
    fn fragment_shader() -> ShaderRef {
        "embedded://lanternfell_torchlight/shaders/overlay.wgsl".into()
    }

    fn alpha_mode(&self) -> AlphaMode2d {
        AlphaMode2d::Blend
    }
}
