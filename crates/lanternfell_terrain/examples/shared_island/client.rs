//! The window of a client.

use std::net::SocketAddr;

use bevy::{
    camera_controller::free_camera::{FreeCamera, FreeCameraPlugin},
    prelude::*,
};
use bevy_picking::{
    DefaultPickingPlugins,
    events::{Move, Out, Pointer},
};
use bevy_replicon::prelude::ClientState;
use bevy_replicon_example_backend::ExampleClient;
use lanternfell_headless::{HeadlessArgs, ScreenshotSystems};
use lanternfell_sky::prelude::*;
use lanternfell_terrain::prelude::*;

use crate::{
    brush::{self, Pointed, Radius},
    protocol::Island,
    session::{self, Author, Base, News, SharedIsland},
};

/// Runs a client until its window is closed.
///
/// # Errors
/// If there is no server.
pub fn run(server: SocketAddr, island: Island, args: &HeadlessArgs) -> Result<AppExit, String> {
    let socket = ExampleClient::new(server)
        .map_err(|error| format!("cannot connect to a server at {server}: {error}"))?;
    let exit = App::new()
        .add_plugins((args.plugins(DefaultPlugins), DefaultPickingPlugins))
        .add_plugins((FreeCameraPlugin, TerrainPlugin, SkyPlugin))
        .add_plugins((session::plugin, brush::plugin))
        .insert_resource(island)
        .insert_resource(socket)
        .add_observer(take_base)
        .add_systems(Startup, setup)
        .add_systems(
            Update,
            (
                show.run_if(resource_exists_and_changed::<SharedIsland>),
                write_status,
            ),
        )
        .configure_sets(Last, ScreenshotSystems.run_if(is_complete))
        .run();
    Ok(exit)
}

/// The text with the state of the connection.
#[derive(Component)]
struct Status;

fn setup(mut commands: Commands, island: Res<Island>) {
    commands
        .spawn((Terrain::new(island.0.clone()), TerrainEdits::default()))
        .observe(|pointer: On<Pointer<Move>>, mut pointed: ResMut<Pointed>| {
            pointed.0 = pointer.hit.position;
        })
        .observe(|_: On<Pointer<Out>>, mut pointed: ResMut<Pointed>| pointed.0 = None);
    commands.spawn((
        Camera3d::default(),
        FreeCamera {
            mouse_key_cursor_grab: MouseButton::Right,
            // The wheel changes the brush.
            scroll_factor: 0.0,
            ..default()
        },
        SkyFog::default(),
        // Also when the camera renders off screen.
        IsDefaultUiCamera,
        Transform::from_xyz(-50.0, 25.0, 78.0).looking_at(Vec3::new(-36.0, 9.0, 30.0), Vec3::Y),
    ));
    let place = Node {
        margin: UiRect::all(px(12)),
        ..default()
    };
    commands.spawn((
        Status,
        Text::default(),
        TextFont::from_font_size(14.0),
        place,
    ));
}

/// Takes the base of the edits when the terrain is complete. Edits over this very base need no replay.
fn take_base(
    ready: On<TerrainReady>,
    mut commands: Commands,
    edits: Query<&TerrainEdits>,
    base: Option<Res<Base>>,
) {
    if base.is_none()
        && let Ok(edits) = edits.get(ready.entity)
    {
        commands.insert_resource(Base(edits.base().clone()));
    }
}

/// Shows the edits of everyone.
fn show(island: Res<SharedIsland>, mut terrain: Single<&mut TerrainEdits>) {
    ***terrain = island.client.edits().clone();
}

fn write_status(
    state: Res<State<ClientState>>,
    author: Option<Res<Author>>,
    island: Option<Res<SharedIsland>>,
    (radius, news): (Res<Radius>, Res<News>),
    mut status: Single<&mut Text, With<Status>>,
) {
    let connection = match (state.get(), author, island) {
        (ClientState::Disconnected, ..) => "disconnected".to_owned(),
        (_, Some(author), Some(island)) if island.client.is_ready() => {
            let (author, pending) = (author.0, island.client.pending());
            format!("connected as author {author}   {pending} edits not answered yet")
        }
        _ => "connecting".to_owned(),
    };
    let keys = format!(
        "left mouse button: dig   with Shift: raise   wheel: radius {} m   Z: undo   right mouse button, WASD: fly",
        radius.0
    );
    status.set_if_neq(Text(format!("{keys}\n{connection}\n{}", news.0)));
}

/// Screenshots wait for the edits, unless there is no server to send them.
fn is_complete(state: Res<State<ClientState>>, island: Option<Res<SharedIsland>>) -> bool {
    match state.get() {
        ClientState::Disconnected => true,
        _ => island.is_some_and(|island| island.client.is_ready()),
    }
}
