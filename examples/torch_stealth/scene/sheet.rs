//! All pictures as one texture, and meshes of many of them.

use bevy::{
    asset::RenderAssetUsages,
    mesh::{Indices, PrimitiveTopology},
    prelude::*,
    render::render_resource::{Extent3d, TextureDimension, TextureFormat},
};
use lanternfell_gutterlight::art::{Atlas, Picture};

use crate::place::CELL;

/// The texture of all pictures.
#[derive(Resource)]
pub struct Sheet {
    atlas: Atlas,
    image: Handle<Image>,
    layout: Handle<TextureAtlasLayout>,
}

impl Sheet {
    /// A picture as a sprite.
    pub fn sprite(&self, picture: Picture) -> Sprite {
        Sprite::from_atlas_image(self.image.clone(), self.part(picture))
    }

    /// A picture on a panel.
    pub fn icon(&self, picture: Picture) -> ImageNode {
        ImageNode::from_atlas_image(self.image.clone(), self.part(picture))
    }

    /// The part of the texture that a picture is.
    pub fn part(&self, picture: Picture) -> TextureAtlas {
        TextureAtlas {
            layout: self.layout.clone(),
            index: self.atlas.index(picture).into(),
        }
    }

    /// What meshes of pictures are painted with.
    pub fn paint(&self) -> ColorMaterial {
        ColorMaterial {
            texture: Some(self.image.clone()),
            alpha_mode: bevy::sprite_render::AlphaMode2d::Blend,
            ..default()
        }
    }

    /// From left, top to right, bottom, as parts of the texture.
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
    app.add_systems(PreStartup, draw);
}

fn draw(
    mut images: ResMut<Assets<Image>>,
    mut layouts: ResMut<Assets<TextureAtlasLayout>>,
    mut commands: Commands,
) {
    let atlas = Atlas::draw();
    let image = Image::new(
        Extent3d {
            width: atlas.width,
            height: atlas.height,
            depth_or_array_layers: 1,
        },
        TextureDimension::D2,
        atlas.pixels.clone(),
        TextureFormat::Rgba8UnormSrgb,
        RenderAssetUsages::RENDER_WORLD,
    );
    let side = UVec2::splat(CELL as u32);
    let (columns, rows) = (atlas.width / side.x, atlas.height / side.y);
    let layout = TextureAtlasLayout::from_grid(side, columns, rows, None, None);
    commands.insert_resource(Sheet {
        image: images.add(image),
        layout: layouts.add(layout),
        atlas,
    });
}

/// Many pictures in one mesh, later ones over earlier ones.
#[derive(Default)]
pub struct Pictures {
    positions: Vec<[f32; 3]>,
    uvs: Vec<[f32; 2]>,
    colours: Vec<[f32; 4]>,
    indices: Vec<u32>,
}

impl Pictures {
    /// Adds a picture with its middle at `at`, as opaque as `alpha` says.
    pub fn add(&mut self, sheet: &Sheet, picture: Picture, at: Vec2, alpha: f32) {
        let shift = picture.shift().as_vec2() * Vec2::new(1.0, -1.0);
        let (low, high) = (at + shift - CELL / 2.0, at + shift + CELL / 2.0);
        let [left, top, right, bottom] = sheet.corners(picture);
        let first = self.positions.len() as u32;
        self.positions.extend([
            [low.x, low.y, 0.0],
            [high.x, low.y, 0.0],
            [high.x, high.y, 0.0],
            [low.x, high.y, 0.0],
        ]);
        self.uvs
            .extend([[left, bottom], [right, bottom], [right, top], [left, top]]);
        self.colours.extend([[1.0, 1.0, 1.0, alpha]; 4]);
        self.indices
            .extend([0, 1, 2, 0, 2, 3].map(|corner| first + corner));
    }

    /// The mesh; of nothing, a speck without size: the renderer has no place for nothing.
    pub fn mesh(mut self) -> Mesh {
        if self.indices.is_empty() {
            self.positions.push([0.0; 3]);
            self.uvs.push([0.0; 2]);
            self.colours.push([0.0; 4]);
            self.indices.extend([0; 3]);
        }
        Mesh::new(
            PrimitiveTopology::TriangleList,
            RenderAssetUsages::RENDER_WORLD,
        )
        .with_inserted_attribute(Mesh::ATTRIBUTE_POSITION, self.positions)
        .with_inserted_attribute(Mesh::ATTRIBUTE_UV_0, self.uvs)
        .with_inserted_attribute(Mesh::ATTRIBUTE_COLOR, self.colours)
        .with_inserted_indices(Indices::U32(self.indices))
    }
}
