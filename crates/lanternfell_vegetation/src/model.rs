//! Your own plant species, with custom meshes, levels of detail and textures.

use std::{collections::BTreeMap, sync::Arc};

use bevy::{
    asset::AssetId,
    mesh::{Indices, VertexAttributeValues},
    prelude::*,
};
use lanternfell_plants::grow::{FarLevel, PlantMesh, Skin, Solid};
use lanternfell_textures::PlantTexture;
use thiserror::Error;

/// Largest absolute UV that fits into a vertex of a merged mesh.
const UV_MOST: f32 = 16.0;

/// Your own plant species: for example trees from an artist, mushrooms or crystals.
///
/// Its plants are merged into the same meshes and share the material with those of
/// [`PlantKind`](lanternfell_plants::grow::PlantKind), so it adds no draw calls.
///
/// Add it to `Assets<PlantModel>` and pass its handle to [`Plant::model`](crate::Plant::model). All models share one
/// array texture, which is built in the background and rebuilt when models change. To avoid the rebuild, add models
/// before the first [`Vegetation`](crate::Vegetation). Plants whose model is not loaded yet are not drawn, but keep
/// their positions free.
///
/// # Build a model in code
/// ```
/// use bevy::prelude::*;
/// use lanternfell_vegetation::{
///     PlantModel, PlantTexture, PlantVariant, plant_mesh,
///     plants::grow::{FarLevel, Skin, Solid},
///     prelude::*,
/// };
///
/// fn cactus() -> Result<PlantModel> {
///     // A capsule from the ground to 2.6 m. Meshes from a glTF file work in the same way.
///     let column = |sides| {
///         let mesh = Capsule3d::new(0.3, 2.0).mesh().longitudes(sides).latitudes(sides / 2).build();
///         plant_mesh(&mesh.translated_by(Vec3::Y * 1.3), Skin::Own { texture: 0, cut_out: false })
///     };
///     let variant = PlantVariant {
///         near: column(24)?,
///         middle: column(8)?,
///         solid: Some(Solid::Cylinder { radius: 0.3, height: 2.6 }),
///         ..default()
///     };
///     let green = PlantTexture::from_color_alpha(16, [60, 110, 50, 255].repeat(16 * 16))?;
///     // Beyond the middle level, an image of the near mesh is drawn.
///     Ok(PlantModel::new(vec![variant], FarLevel::Impostor, vec![green])?)
/// }
///
/// fn setup(mut models: ResMut<Assets<PlantModel>>, mut commands: Commands) -> Result {
///     let cactus = models.add(cactus()?);
///     let rule = ScatterRule { spacing: 9.0, size: [0.6, 1.4], ..default() };
///     let mut desert = Vegetation::desert();
///     desert.plants.push(Plant::model("cactus", cactus, rule).on_layers(&[("sand", 0.3)]));
///     commands.spawn((Terrain::default(), desert));
///     Ok(())
/// }
/// # use lanternfell_terrain::prelude::*;
/// # assert!(cactus().is_ok());
/// # App::new().add_systems(Startup, setup);
/// ```
///
/// # Build a model from files
/// Reserve a handle for the model, and insert the model when its mesh and texture are loaded. The texture must be
/// square, in sRGB with alpha and 8 bits per channel, with a side that is a power of two from 16 to 2048. PNG files of
/// such a size work:
///
/// ```
/// use bevy::prelude::*;
/// use lanternfell_vegetation::{
///     PlantModel, PlantTexture, PlantVariant, plant_mesh,
///     plants::grow::{FarLevel, Skin},
///     prelude::*,
/// };
/// # use lanternfell_terrain::prelude::*;
///
/// #[derive(Resource)]
/// struct Oak {
///     mesh: Handle<Mesh>,
///     texture: Handle<Image>,
///     model: Handle<PlantModel>,
/// }
///
/// fn setup(mut commands: Commands, assets: Res<AssetServer>, models: Res<Assets<PlantModel>>) {
///     let oak = Oak {
///         mesh: assets.load("oak.glb#Mesh0/Primitive0"),
///         texture: assets.load("oak.png"),
///         model: models.reserve_handle(),
///     };
///     let rule = ScatterRule { spacing: 7.0, crown: 2.5, clearance: 0.5, ..default() };
///     let plants = vec![Plant::model("oak", oak.model.clone(), rule)];
///     commands.spawn((Terrain::default(), Vegetation { plants, ..default() }));
///     commands.insert_resource(oak);
/// }
///
/// /// Add this to `Update`.
/// fn build(
///     oak: Res<Oak>,
///     meshes: Res<Assets<Mesh>>,
///     images: Res<Assets<Image>>,
///     mut models: ResMut<Assets<PlantModel>>,
/// ) -> Result {
///     let (Some(mesh), Some(image)) = (meshes.get(&oak.mesh), images.get(&oak.texture)) else {
///         return Ok(());
///     };
///     if models.contains(&oak.model) {
///         return Ok(());
///     }
///     // `cut_out`: the alpha of the texture cuts out leaves.
///     let mesh = plant_mesh(mesh, Skin::Own { texture: 0, cut_out: true })?;
///     let pixels = image.data.clone().unwrap_or_default();
///     let texture = PlantTexture::from_color_alpha(image.width(), pixels)?;
///     // Use a mesh with fewer triangles for `middle` if you have one.
///     let variant = PlantVariant { near: mesh.clone(), middle: mesh, ..default() };
///     let model = PlantModel::new(vec![variant], FarLevel::Impostor, vec![texture])?;
///     models.insert(&oak.model, model)?;
///     Ok(())
/// }
/// # App::new().add_systems(Startup, setup).add_systems(Update, build);
/// ```
///
/// A mesh from [`plant_mesh`] has a single [`Skin`], the texture of its triangles. For a trunk and leaves with separate
/// textures, append the vertices, indices and [`parts`](PlantMesh::parts) of one [`PlantMesh`] to those of another. Add
/// the previous number of vertices to the appended indices, and the previous number of indices to the ranges of the
/// appended parts. Then set the wind weights of the whole plant (the alpha of [`PlantMesh::colors`]). Otherwise, leaves
/// and trunk move apart in the wind.
#[derive(Asset, TypePath, Debug, Clone)]
pub struct PlantModel(Arc<Parts>);

#[derive(Debug)]
struct Parts {
    variants: Vec<PlantVariant>,
    far: FarLevel,
    textures: Vec<PlantTexture>,
}

/// One individual of a [`PlantModel`]. Meshes are in meters, y up, with the root at the origin.
#[derive(Debug, Default, Clone, PartialEq)]
pub struct PlantVariant {
    /// The mesh close to the camera: up to 4 m plus twice the plant's height, at most 100 m. Use a few thousand
    /// triangles at most.
    pub near: PlantMesh,
    /// The mesh beyond that, up to 9 m plus five times the height. Without a far level, up to 8 m plus 55 times the
    /// height. Always at most 400 m. Use a few hundred triangles at most.
    pub middle: PlantMesh,
    /// The mesh beyond the middle level, for [`FarLevel::Mesh`] only. Use a few dozen triangles at most.
    pub far: PlantMesh,
    /// The collision shape. `None`: no collision.
    pub solid: Option<Solid>,
}

/// Why a [`PlantModel`] is invalid.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum PlantModelError {
    /// The model has no variants.
    #[error("a plant model needs at least one variant")]
    NoVariant,
    /// A mesh that would be drawn has no triangles.
    #[error("the {level} mesh of variant {variant} has no triangles")]
    Empty {
        /// Index of the variant.
        variant: usize,
        /// `near`, `middle` or `far`.
        level: &'static str,
    },
    /// A mesh is inconsistent or contains invalid values.
    #[error("the {level} mesh of variant {variant}: {fault}")]
    Mesh {
        /// Index of the variant.
        variant: usize,
        /// `near`, `middle` or `far`.
        level: &'static str,
        /// Description of the problem.
        fault: &'static str,
    },
    /// A [`Skin::Own`] refers to a texture that the model does not have.
    #[error("a skin has texture {texture}, but the model has {count} textures")]
    Texture {
        /// Index of the texture.
        texture: u8,
        /// Number of textures of the model.
        count: usize,
    },
    /// [`plant_mesh`] cannot read the Bevy mesh.
    #[error("the mesh has no {0}")]
    Attribute(&'static str),
}

impl PlantModel {
    /// Creates a species. Each plant uses one of the `variants` at random, and `far` selects what is drawn beyond the
    /// middle level.
    ///
    /// `near` and `middle` must have triangles, `far` only for [`FarLevel::Mesh`]. [`Skin::Own`] refers to `textures`
    /// by index. Textures are scaled to the size of the array texture: 256 texels per side, 128 in browsers. Each
    /// texture, and each variant with an impostor, takes one of its 255 usable layers. The built-in plants take 36.
    ///
    /// # Errors
    /// Returns the first problem with a mesh that would be drawn.
    pub fn new(
        variants: Vec<PlantVariant>,
        far: FarLevel,
        textures: Vec<PlantTexture>,
    ) -> Result<Self, PlantModelError> {
        if variants.is_empty() {
            return Err(PlantModelError::NoVariant);
        }
        for (index, variant) in variants.iter().enumerate() {
            check_level(&variant.near, index, "near", textures.len())?;
            check_level(&variant.middle, index, "middle", textures.len())?;
            match far {
                FarLevel::Mesh => check_level(&variant.far, index, "far", textures.len())?,
                FarLevel::Impostor | FarLevel::None => {}
            }
        }
        Ok(Self(Arc::new(Parts {
            variants,
            far,
            textures,
        })))
    }

    /// The individuals of the species.
    pub fn variants(&self) -> &[PlantVariant] {
        &self.0.variants
    }

    /// What is drawn beyond the middle level.
    pub fn far_level(&self) -> FarLevel {
        self.0.far
    }

    /// The textures of the species.
    pub fn textures(&self) -> &[PlantTexture] {
        &self.0.textures
    }
}

/// Two models are equal if they are clones of the same model. Models are immutable.
impl PartialEq for PlantModel {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

fn check_level(
    mesh: &PlantMesh,
    variant: usize,
    level: &'static str,
    textures: usize,
) -> Result<(), PlantModelError> {
    if mesh.indices.is_empty() {
        return Err(PlantModelError::Empty { variant, level });
    }
    if let Some(fault) = fault(mesh) {
        return Err(PlantModelError::Mesh {
            variant,
            level,
            fault,
        });
    }
    for part in &mesh.parts {
        match part.skin {
            Skin::Own { texture, .. } if usize::from(texture) >= textures => {
                let count = textures;
                return Err(PlantModelError::Texture { texture, count });
            }
            Skin::Impostor => {
                return Err(PlantModelError::Mesh {
                    variant,
                    level,
                    fault: "only an impostor has `Skin::Impostor`",
                });
            }
            Skin::Own { .. } | Skin::Plant(_) | Skin::Ground(_) => {}
        }
    }
    Ok(())
}

/// Returns a problem that would make merging read out of bounds or draw nothing visible.
fn fault(mesh: &PlantMesh) -> Option<&'static str> {
    let count = mesh.positions.len();
    // Parts must cover the indices exactly: merging iterates over the parts, but triangle counts come from the indices.
    let mut end = 0;
    let in_order = mesh.parts.iter().all(|part| {
        let starts = part.indices.start == end && part.indices.end >= end;
        end = part.indices.end;
        starts && end.is_multiple_of(3)
    });
    let finite = |numbers: &[f32]| numbers.iter().all(|number| number.is_finite());
    let uvs = mesh.uvs.as_flattened();
    if [mesh.normals.len(), mesh.uvs.len(), mesh.colors.len()] != [count; 3] {
        Some("every vertex needs a position, normal, UV and color")
    } else if mesh.indices.iter().any(|&index| index as usize >= count) {
        Some("an index is beyond the last vertex")
    } else if !in_order || end != mesh.indices.len() {
        Some("its parts must hold all triangles, in order and without gaps")
    } else if !(finite(mesh.positions.as_flattened())
        && finite(mesh.normals.as_flattened())
        && finite(mesh.colors.as_flattened()))
    {
        Some("a position, normal or color is not finite")
    } else if !uvs.iter().all(|uv| uv.abs() <= UV_MOST) {
        Some("UVs must be from -16 to 16")
    } else {
        None
    }
}

/// Converts a Bevy mesh to a mesh for a [`PlantVariant`], with one skin for all of it.
///
/// The mesh must be a triangle list in meters, with y up and the root at the origin. The transform of its glTF node is
/// not applied. Missing normals point up, missing UVs are 0, and missing colors are white. The wind moves vertices by
/// their height, from weight 0 at the root to 0.5 at the top. To change that, set the alpha of [`PlantMesh::colors`].
///
/// # Errors
/// [`PlantModelError::Attribute`] if the mesh has no positions or is not a triangle list.
pub fn plant_mesh(mesh: &Mesh, skin: Skin) -> Result<PlantMesh, PlantModelError> {
    use VertexAttributeValues::{Float32x2, Float32x3, Float32x4};
    use bevy::mesh::PrimitiveTopology::TriangleList;
    let Some(Float32x3(positions)) = mesh.attribute(Mesh::ATTRIBUTE_POSITION) else {
        return Err(PlantModelError::Attribute("positions"));
    };
    if mesh.primitive_topology() != TriangleList {
        return Err(PlantModelError::Attribute("triangle list"));
    }
    let count = positions.len();
    let normals = match mesh.attribute(Mesh::ATTRIBUTE_NORMAL) {
        Some(Float32x3(normals)) => normals.clone(),
        _ => vec![[0.0, 1.0, 0.0]; count],
    };
    let uvs = match mesh.attribute(Mesh::ATTRIBUTE_UV_0) {
        Some(Float32x2(uvs)) => uvs.clone(),
        _ => vec![[0.0; 2]; count],
    };
    let mut colors = match mesh.attribute(Mesh::ATTRIBUTE_COLOR) {
        Some(Float32x4(colors)) => colors.clone(),
        _ => vec![[1.0; 4]; count],
    };
    let top = positions.iter().map(|[_, y, _]| *y).fold(1e-6, f32::max);
    for (color, [_, y, _]) in colors.iter_mut().zip(positions) {
        let share = (y / top).clamp(0.0, 1.0);
        color[3] = 0.5 * share * share;
    }
    let indices: Vec<u32> = match mesh.indices() {
        Some(Indices::U32(indices)) => indices.clone(),
        Some(Indices::U16(indices)) => indices.iter().copied().map(u32::from).collect(),
        None => (0..count as u32).collect(),
    };
    let part = lanternfell_plants::grow::Part {
        skin,
        indices: 0..indices.len(),
    };
    Ok(PlantMesh {
        positions: positions.clone(),
        normals,
        uvs,
        colors,
        parts: vec![part],
        indices,
    })
}

/// A snapshot of all models. Two snapshots are equal if they hold the same models.
#[derive(Resource, Debug, Default, Clone, PartialEq)]
pub(crate) struct Models(Arc<BTreeMap<AssetId<PlantModel>, PlantModel>>);

impl Models {
    pub(crate) fn get(&self, model: &Handle<PlantModel>) -> Option<&PlantModel> {
        self.0.get(&model.id())
    }

    #[cfg(test)]
    pub(crate) fn of(models: impl IntoIterator<Item = PlantModel>) -> Self {
        let id = |number| AssetId::Uuid {
            uuid: bevy::asset::uuid::Uuid::from_u128(number),
        };
        Self(Arc::new((0..).map(id).zip(models).collect()))
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &PlantModel> {
        self.0.values()
    }
}

pub(crate) fn plugin(app: &mut App) {
    app.init_resource::<Models>();
    // Without an `AssetServer`, no code can create handles.
    if app.world().contains_resource::<AssetServer>() {
        app.init_asset::<PlantModel>();
    }
}

/// Updates [`Models`] when models are added, replaced or removed. Runs every frame, over a few models.
pub(crate) fn follow_models(assets: Option<Res<Assets<PlantModel>>>, mut models: ResMut<Models>) {
    let Some(assets) = assets else { return };
    let is_same =
        |(id, model): (AssetId<PlantModel>, &PlantModel)| models.0.get(&id) == Some(model);
    if assets.len() != models.0.len() || !assets.iter().all(is_same) {
        let all = assets.iter().map(|(id, model)| (id, model.clone()));
        *models = Models(Arc::new(all.collect()));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn variant() -> PlantVariant {
        let cube = plant_mesh(&Cuboid::from_length(1.0).into(), own(0)).unwrap();
        PlantVariant {
            near: cube.clone(),
            middle: cube,
            ..default()
        }
    }

    fn own(texture: u8) -> Skin {
        let cut_out = false;
        Skin::Own { texture, cut_out }
    }

    fn texture() -> PlantTexture {
        PlantTexture::from_color_alpha(16, vec![255; 1024]).unwrap()
    }

    fn refusal(variant: PlantVariant, far: FarLevel) -> String {
        let model = PlantModel::new(vec![variant], far, vec![texture()]);
        model.unwrap_err().to_string()
    }

    #[test]
    fn converts_bevy_meshes() {
        let mesh = variant().near;
        assert_eq!((mesh.triangle_count(), mesh.positions.len()), (12, 24));
        let winds: Vec<f32> = mesh.colors.iter().map(|color| color[3]).collect();
        assert!(winds.contains(&0.0) && winds.contains(&0.5));
        let points = Mesh::new(bevy::mesh::PrimitiveTopology::PointList, default());
        assert!(plant_mesh(&points, own(0)).is_err());
    }

    #[test]
    fn accepts_valid_models() {
        for far in [FarLevel::Impostor, FarLevel::None] {
            assert!(PlantModel::new(vec![variant()], far, vec![texture()]).is_ok());
        }
        let far = PlantVariant {
            far: variant().near,
            ..variant()
        };
        assert!(PlantModel::new(vec![far], FarLevel::Mesh, vec![texture()]).is_ok());
    }

    #[test]
    fn rejects_invalid_models() {
        let none = PlantModel::new(Vec::new(), FarLevel::None, Vec::new());
        assert_eq!(none, Err(PlantModelError::NoVariant));
        let changed = |change: fn(&mut PlantMesh)| {
            let mut variant = variant();
            change(&mut variant.middle);
            refusal(variant, FarLevel::None)
        };
        assert!(refusal(variant(), FarLevel::Mesh).contains("far mesh of variant 0"));
        assert!(changed(|mesh| mesh.parts[0].skin = own(1)).contains("texture 1"));
        assert!(changed(|mesh| mesh.parts[0].skin = Skin::Impostor).contains("Skin::Impostor"));
        assert!(changed(|mesh| mesh.indices[4] = 24).contains("index"));
        assert!(changed(|mesh| mesh.parts[0].indices.end = 33).contains("parts"));
        assert!(changed(|mesh| mesh.uvs[3][1] = 16.5).contains("UVs"));
        assert!(changed(|mesh| mesh.uvs[3][1] = f32::NAN).contains("UVs"));
        assert!(changed(|mesh| mesh.normals[0][0] = f32::NAN).contains("finite"));
        assert!(changed(|mesh| mesh.colors.truncate(23)).contains("middle mesh"));
        assert!(changed(|mesh| *mesh = PlantMesh::default()).contains("no triangles"));
    }
}
