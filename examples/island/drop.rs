//! Drag and drop: a file becomes the terrain, and the panel lists the files of a folder.

use std::path::PathBuf;

use bevy::prelude::*;
use bevy_egui::{EguiContexts, EguiPrimaryContextPass, egui};

use crate::{
    folder::{self, Folder},
    ground::{Choice, Ground, GroundSystems, Trouble},
};

/// The file that is dragged over the window.
#[derive(Resource, Default)]
struct Held(Option<PathBuf>);

pub fn plugin(app: &mut App) {
    app.init_resource::<Held>()
        .add_systems(Update, take.before(GroundSystems))
        .add_systems(EguiPrimaryContextPass, invite);
}

fn take(
    mut drags: MessageReader<FileDragAndDrop>,
    mut held: ResMut<Held>,
    mut ground: ResMut<Ground>,
    mut folder: ResMut<Folder>,
    mut trouble: ResMut<Trouble>,
    assets: Res<AssetServer>,
) {
    for drag in drags.read() {
        held.0 = None;
        match drag {
            FileDragAndDrop::HoveredFile { path_buf, .. } => held.0 = Some(path_buf.clone()),
            FileDragAndDrop::HoveredFileCanceled { .. } => {}
            FileDragAndDrop::DroppedFile { path_buf, .. } if path_buf.is_dir() => {
                *folder = Folder::at(Some(path_buf.clone()));
                folder.read();
            }
            FileDragAndDrop::DroppedFile { path_buf, .. } => {
                trouble.0 = None;
                ground.choose(Choice::File(path_buf.clone()), &assets);
            }
        }
    }
}

/// Shows what dropping the file will do.
fn invite(mut contexts: EguiContexts, held: Res<Held>) -> Result {
    let Some(path) = &held.0 else {
        return Ok(());
    };
    egui::Area::new("drop".into())
        .anchor(egui::Align2::CENTER_CENTER, [0.0, 0.0])
        .order(egui::Order::Foreground)
        .interactable(false)
        .show(contexts.ctx_mut()?, |ui| {
            egui::Frame::popup(ui.style())
                .inner_margin(18)
                .show(ui, |ui| {
                    let words = format!("drop to show {}", folder::name(path));
                    ui.label(egui::RichText::new(words).size(18.0));
                });
        });
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::fs;

    use bevy::ecs::entity::Entity;

    use super::*;
    use crate::ground::tests::{ground, settle, studio};

    fn studio_with_drops() -> App {
        let mut app = studio();
        folder::plugin(&mut app);
        app.add_message::<FileDragAndDrop>()
            .init_resource::<Held>()
            .add_systems(Update, take.before(GroundSystems));
        app
    }

    fn send(app: &mut App, drag: FileDragAndDrop) {
        app.world_mut().write_message(drag);
        settle(app);
    }

    #[test]
    fn dropped_file_becomes_terrain() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("land.asc");
        let grid = "ncols 2\nnrows 2\nxllcorner 0\nyllcorner 0\ncellsize 9\n0 8 2 4\n";
        fs::write(&path, grid).unwrap();
        let mut app = studio_with_drops();
        let (window, path_buf) = (Entity::PLACEHOLDER, path.clone());
        send(&mut app, FileDragAndDrop::HoveredFile { window, path_buf });
        assert_eq!(app.world().resource::<Held>().0, Some(path.clone()));
        assert_eq!(ground(&app).choice, Choice::Generator("hills"));
        let path_buf = path.clone();
        send(&mut app, FileDragAndDrop::DroppedFile { window, path_buf });
        assert_eq!(app.world().resource::<Held>().0, None);
        assert_eq!(ground(&app).choice, Choice::File(path));
    }

    #[test]
    fn dropped_folder_is_listed() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("land.asc");
        fs::write(&path, "").unwrap();
        let mut app = studio_with_drops();
        let (window, path_buf) = (Entity::PLACEHOLDER, folder.path().to_owned());
        send(&mut app, FileDragAndDrop::DroppedFile { window, path_buf });
        let offered = app.world().resource::<Folder>();
        assert_eq!(
            (offered.path(), &offered.files),
            (Some(folder.path()), &vec![path])
        );
        assert_eq!(ground(&app).choice, Choice::Generator("hills"));
    }
}
