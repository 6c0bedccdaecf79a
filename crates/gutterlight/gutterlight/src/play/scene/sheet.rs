//! The sprite atlas as a texture, and meshes of many sprites.
//!
//! The texture is drawn once, and again when the color palette changes.

use bevy::{
    asset::RenderAssetUsages,
    mesh::{Indices, PrimitiveTopology},
    prelude::*,
    render::render_resource::{Extent3d, TextureDimension, TextureFormat},
};
use gutterlight_assets::art::{Atlas, Palette, Picture, THEMES};
use gutterlight_rules::Theme;

use crate::play::{options::Options, place::CELL, scene::gloom::Grounds};

/// The texture atlas.
#[derive(Resource)]
pub struct Sheet {
    atlas: Atlas,
    image: Handle<Image>,
    layout: Handle<TextureAtlasLayout>,
    palette: Palette,
    /// The colors of the ground of each theme.
    grounds: [(Theme, Grounds); THEMES.len()],
}

impl Sheet {
    /// The palette of the texture.
    pub fn palette(&self) -> Palette {
        self.palette
    }

    /// The colors of the ground of a theme.
    pub fn grounds(&self, theme: Theme) -> Grounds {
        let found = self.grounds.iter().find(|(other, _)| *other == theme);
        found.unwrap_or(&self.grounds[0]).1
    }

    /// Creates a sprite.
    pub fn sprite(&self, picture: Picture) -> Sprite {
        Sprite::from_atlas_image(self.image.clone(), self.part(picture))
    }

    /// Creates a UI image.
    pub fn icon(&self, picture: Picture) -> ImageNode {
        ImageNode::from_atlas_image(self.image.clone(), self.part(picture))
    }

    /// The region of the atlas.
    pub fn part(&self, picture: Picture) -> TextureAtlas {
        TextureAtlas {
            layout: self.layout.clone(),
            index: self.atlas.index(picture).into(),
        }
    }

    /// The material for meshes of sprites.
    pub fn paint(&self) -> ColorMaterial {
        ColorMaterial {
            texture: Some(self.image.clone()),
            alpha_mode: bevy::sprite_render::AlphaMode2d::Blend,
            ..default()
        }
    }

    /// The texture coordinates: left, top, right, bottom.
    fn corners(&self, picture: Picture) -> [f32; 4] {
        let (width, height) = (self.atlas.width as f32, self.atlas.height as f32);
        let (columns, index) = (
            self.atlas.width / CELL as u32,
            u32::from(self.atlas.index(picture)),
        );
        let (x, y) = (
            (index % columns) as f32 * CELL,
            (index / columns) as f32 * CELL,
        );
        [
            x / width,
            y / height,
            (x + CELL) / width,
            (y + CELL) / height,
        ]
    }
}

pub fn plugin(app: &mut App) {
    app.add_systems(PreStartup, draw)
        .add_systems(Update, redraw.run_if(resource_changed::<Options>));
}

fn draw(
    options: Res<Options>,
    mut images: ResMut<Assets<Image>>,
    mut layouts: ResMut<Assets<TextureAtlasLayout>>,
    mut commands: Commands,
) {
    let palette = Palette::colorblind_if(options.colorblind);
    let atlas = Atlas::draw(palette);
    let side = UVec2::splat(CELL as u32);
    let (columns, rows) = (atlas.width / side.x, atlas.height / side.y);
    let layout = TextureAtlasLayout::from_grid(side, columns, rows, None, None);
    commands.insert_resource(Sheet {
        image: images.add(image_of(&atlas)),
        layout: layouts.add(layout),
        grounds: grounds_of(&atlas),
        atlas,
        palette,
    });
}

/// Redraws the texture in place, so that all its users change too.
fn redraw(
    options: Res<Options>,
    mut sheet: ResMut<Sheet>,
    mut images: ResMut<Assets<Image>>,
) -> Result {
    let palette = Palette::colorblind_if(options.colorblind);
    if sheet.palette != palette {
        sheet.palette = palette;
        sheet.atlas = Atlas::draw(palette);
        sheet.grounds = grounds_of(&sheet.atlas);
        images.insert(&sheet.image, image_of(&sheet.atlas))?;
    }
    Ok(())
}

fn grounds_of(atlas: &Atlas) -> [(Theme, Grounds); THEMES.len()] {
    THEMES.map(|theme| (theme, Grounds::of(atlas, theme)))
}

/// The mean color of a sprite, linear.
pub fn mean_color(atlas: &Atlas, picture: Picture) -> Vec3 {
    let pixels = atlas.pixels_of(picture);
    let colors = pixels.iter().map(|[red, green, blue, alpha]| {
        let color = LinearRgba::from(Srgba::rgba_u8(*red, *green, *blue, *alpha));
        color.to_vec3() * color.alpha
    });
    colors.sum::<Vec3>() / pixels.len() as f32
}

fn image_of(atlas: &Atlas) -> Image {
    image(atlas.width, atlas.height, atlas.pixels.clone())
}

/// Creates an image from sRGB pixels with alpha, row by row from the top.
fn image(width: u32, height: u32, pixels: Vec<u8>) -> Image {
    Image::new(
        Extent3d {
            width,
            height,
            depth_or_array_layers: 1,
        },
        TextureDimension::D2,
        pixels,
        TextureFormat::Rgba8UnormSrgb,
        RenderAssetUsages::RENDER_WORLD,
    )
}

/// A row of white marks, each as large as a cell. `opaque` returns the alpha of a pixel (0 to 255) from the index of
/// the mark and the pixel's position from the left and the top.
pub fn marks(count: u32, opaque: impl Fn(u32, i32, i32) -> u8) -> Image {
    let side = CELL as u32;
    let row = |y| (0..count * side).map(move |x| (x, y));
    let pixels = (0..side).flat_map(row).flat_map(|(x, y)| {
        let alpha = opaque(x / side, (x % side) as i32, y as i32);
        [255, 255, 255, alpha]
    });
    image(count * side, side, pixels.collect())
}

/// A mesh of many sprites. Later ones are drawn over earlier ones.
#[derive(Default)]
pub struct Pictures {
    positions: Vec<[f32; 3]>,
    uvs: Vec<[f32; 2]>,
    colors: Vec<[f32; 4]>,
    indices: Vec<u32>,
}

impl Pictures {
    /// Adds a sprite centered at `at` with an opacity.
    pub fn add(&mut self, sheet: &Sheet, picture: Picture, at: Vec2, alpha: f32) {
        self.add_inked(sheet, picture, at, [1.0, 1.0, 1.0, alpha]);
    }

    /// Adds a sprite centered at `at`, multiplied by a linear color.
    pub fn add_inked(&mut self, sheet: &Sheet, picture: Picture, at: Vec2, color: [f32; 4]) {
        let shift = picture.shift().as_vec2() * Vec2::new(1.0, -1.0);
        self.add_part(sheet.corners(picture), at + shift, color);
    }

    /// Adds a region of a texture (left, top, right, bottom), as large as a cell and centered at `at`, multiplied by a
    /// linear color.
    pub fn add_part(&mut self, part: [f32; 4], at: Vec2, color: [f32; 4]) {
        let (low, high) = (at - CELL / 2.0, at + CELL / 2.0);
        let [left, top, right, bottom] = part;
        let first = self.positions.len() as u32;
        self.positions.extend([
            [low.x, low.y, 0.0],
            [high.x, low.y, 0.0],
            [high.x, high.y, 0.0],
            [low.x, high.y, 0.0],
        ]);
        self.uvs
            .extend([[left, bottom], [right, bottom], [right, top], [left, top]]);
        self.colors.extend([color; 4]);
        self.indices
            .extend([0, 1, 2, 0, 2, 3].map(|corner| first + corner));
    }

    /// Adds a sprite centered at `at`, as four quads. `color` returns the linear color of each corner from its offset
    /// to `at`.
    pub fn add_shaded(
        &mut self,
        sheet: &Sheet,
        picture: Picture,
        at: Vec2,
        color: impl Fn(Vec2) -> [f32; 4],
    ) {
        const SIDE: u32 = 3;
        let shift = picture.shift().as_vec2() * Vec2::new(1.0, -1.0);
        let [left, top, right, bottom] = sheet.corners(picture);
        let first = self.positions.len() as u32;
        for (x, y) in (0..SIDE).flat_map(|y| (0..SIDE).map(move |x| (x, y))) {
            let part = Vec2::new(x as f32, y as f32) / (SIDE - 1) as f32;
            let within = shift + (part - 0.5) * CELL;
            self.positions.push((at + within).extend(0.0).to_array());
            let (u, v) = (left.lerp(right, part.x), bottom.lerp(top, part.y));
            self.uvs.push([u, v]);
            self.colors.push(color(within));
        }
        for (x, y) in [(0, 0), (1, 0), (0, 1), (1, 1)] {
            let corner = first + y * SIDE + x;
            let turned = [0, 1, SIDE + 1, 0, SIDE + 1, SIDE];
            self.indices.extend(turned.map(|next| corner + next));
        }
    }

    /// Builds the mesh. If it is empty, it contains a degenerate triangle, because the renderer does not accept empty
    /// meshes.
    pub fn mesh(mut self) -> Mesh {
        if self.indices.is_empty() {
            self.positions.push([0.0; 3]);
            self.uvs.push([0.0; 2]);
            self.colors.push([0.0; 4]);
            self.indices.extend([0; 3]);
        }
        Mesh::new(
            PrimitiveTopology::TriangleList,
            RenderAssetUsages::RENDER_WORLD,
        )
        .with_inserted_attribute(Mesh::ATTRIBUTE_POSITION, self.positions)
        .with_inserted_attribute(Mesh::ATTRIBUTE_UV_0, self.uvs)
        .with_inserted_attribute(Mesh::ATTRIBUTE_COLOR, self.colors)
        .with_inserted_indices(Indices::U32(self.indices))
    }
}
