//! Mouse and keyboard: carve, build, place lamps, and toggle settings.

use bevy::{
    input::{mouse::AccumulatedMouseScroll, touch::Touches},
    prelude::*,
};
use bevy_egui::input::{egui_wants_any_keyboard_input, egui_wants_any_pointer_input};
use lanternfell::{lightgrid::line, prelude::*};

use crate::{
    board::{DIRECT, Rules},
    drawing::{Drawing, Hue, Material, Walls},
    panel::PanelShown,
    presets::Preset,
    torch::{self, Torch},
    touch::Finger,
};

/// The tools of mouse and keyboard.
#[derive(Resource, Debug, Clone, PartialEq)]
pub struct Brush {
    /// The material of the right mouse button.
    pub builds: Material,
    /// The color for the next glass cell.
    pub glass: Hue,
    /// Side of the brush in cells. It is odd.
    pub side: i32,
    /// The last cell of the current stroke.
    last: Option<IVec2>,
}

impl Default for Brush {
    fn default() -> Self {
        Self {
            builds: Material::Wall,
            glass: Hue::Blue,
            side: 1,
            last: None,
        }
    }
}

/// The preset of the current drawing.
#[derive(Resource, Debug, Clone, Copy, PartialEq)]
pub struct Begun {
    pub preset: Preset,
    pub seed: u32,
}

impl Default for Begun {
    fn default() -> Self {
        Self {
            preset: Preset::default(),
            seed: 1,
        }
    }
}

pub fn plugin(app: &mut App) {
    app.init_resource::<Brush>().add_systems(
        Update,
        (
            (stroke.after(torch::follow_cursor), turn_wheel)
                .run_if(not(egui_wants_any_pointer_input)),
            (drop_things, turn_switches, change_preset).run_if(not(egui_wants_any_keyboard_input)),
        ),
    );
}

/// Draws a stroke: the left button carves, the right builds, and a finger does what its button selects. Fast strokes
/// have no gaps.
fn stroke(
    buttons: Res<ButtonInput<MouseButton>>,
    touches: Res<Touches>,
    finger: Res<Finger>,
    torch: Res<Torch>,
    mut brush: ResMut<Brush>,
    mut drawing: ResMut<Drawing>,
) {
    let finger = touches.iter().next().map(|_| *finger);
    let material = if buttons.pressed(MouseButton::Left) || finger == Some(Finger::Carve) {
        Material::Floor
    } else if buttons.pressed(MouseButton::Right) || finger == Some(Finger::Build) {
        brush.builds
    } else {
        if brush.last.is_some() {
            brush.last = None;
        }
        return;
    };
    let here = torch.cell();
    let reach = brush.side / 2;
    let mut cells = Vec::new();
    for cell in way(brush.last.unwrap_or(here), here) {
        for y in -reach..=reach {
            cells.extend((-reach..=reach).map(|x| cell + IVec2::new(x, y)));
        }
    }
    if cells.iter().any(|&cell| drawing.get(cell) != material) {
        for cell in cells {
            drawing.set(cell, material);
        }
    }
    if brush.last != Some(here) {
        brush.last = Some(here);
    }
}

/// The cells of a line, each sharing an edge with the one before.
///
/// Light does not pass between two walls that touch at a corner. So a diagonal step also includes a cell next to it.
fn way(from: IVec2, to: IVec2) -> Vec<IVec2> {
    let mut cells: Vec<IVec2> = Vec::new();
    for cell in line(from, to) {
        if let Some(&before) = cells.last()
            && (cell - before).abs() == IVec2::ONE
        {
            cells.push(IVec2::new(cell.x, before.y));
        }
        cells.push(cell);
    }
    cells
}

/// The mouse wheel changes the radius.
fn turn_wheel(wheel: Res<AccumulatedMouseScroll>, mut rules: ResMut<Rules>) {
    if wheel.delta.y != 0.0 {
        let radius = rules.radius() * 1.1_f32.powf(wheel.delta.y.clamp(-5.0, 5.0));
        rules.set_radius(radius);
    }
}

/// Number keys place lamps at the torch, letters set cells, and Delete removes a lamp.
fn drop_things(
    keys: Res<ButtonInput<KeyCode>>,
    torch: Res<Torch>,
    mut brush: ResMut<Brush>,
    mut drawing: ResMut<Drawing>,
) {
    if is_control(&keys) {
        return;
    }
    let here = torch.cell();
    let numbers = [
        KeyCode::Digit1,
        KeyCode::Digit2,
        KeyCode::Digit3,
        KeyCode::Digit4,
        KeyCode::Digit5,
        KeyCode::Digit6,
        KeyCode::Digit7,
    ];
    for (key, hue) in numbers.into_iter().zip(Hue::ALL) {
        if keys.just_pressed(key) {
            drawing.hang_lamp(here, hue);
        }
    }
    if keys.just_pressed(KeyCode::KeyC) {
        let glasses = Hue::of_glass();
        let now = glasses
            .iter()
            .position(|&hue| hue == brush.glass)
            .unwrap_or(0);
        brush.glass = glasses[(now + 1) % glasses.len()];
    }
    let cells = [
        (KeyCode::KeyG, Material::Glass(brush.glass)),
        (KeyCode::KeyS, Material::Smoke),
        (KeyCode::KeyM, Material::Mirror),
        (KeyCode::KeyB, Material::Black),
    ];
    for (key, material) in cells {
        // A held key keeps drawing.
        if is_down(&keys, key) && drawing.get(here) != material {
            drawing.set(here, material);
        }
    }
    if keys.any_just_pressed([KeyCode::Delete, KeyCode::KeyX]) {
        drawing.take_lamp(here);
    }
}

/// Whether a key is down, or was pressed and released since the last frame.
fn is_down(keys: &ButtonInput<KeyCode>, key: KeyCode) -> bool {
    keys.pressed(key) || keys.just_pressed(key)
}

/// Whether Ctrl is held. Then the other keys are shortcuts.
pub fn is_control(keys: &ButtonInput<KeyCode>) -> bool {
    is_down(keys, KeyCode::ControlLeft) || is_down(keys, KeyCode::ControlRight)
}

fn turn_switches(
    keys: Res<ButtonInput<KeyCode>>,
    mut rules: ResMut<Rules>,
    mut walls: ResMut<Walls>,
    mut torch: ResMut<Torch>,
    mut panel: ResMut<PanelShown>,
) {
    if keys.just_pressed(KeyCode::KeyN) {
        let all = Neighborhood::SQUARE;
        let now = all
            .iter()
            .position(|&n| n == rules.settings.neighborhood)
            .unwrap_or(0);
        rules.settings.neighborhood = all[(now + 1) % all.len()];
    }
    if keys.just_pressed(KeyCode::KeyT) {
        rules.flow = match rules.flow {
            LightFlow::Automaton { .. } => LightFlow::SETTLED,
            LightFlow::Settled { .. } => LightFlow::default(),
        };
    }
    if keys.just_pressed(KeyCode::KeyK) {
        walls.albedo = if walls.albedo < 0.5 { 1.0 } else { 0.0 };
    }
    if keys.just_pressed(KeyCode::KeyD) {
        rules.settings.direct = if rules.settings.direct > 0.0 {
            0.0
        } else {
            DIRECT
        };
    }
    if keys.just_pressed(KeyCode::KeyF) {
        rules.fine = !rules.fine;
    }
    if keys.just_pressed(KeyCode::KeyH) {
        rules.display.heat = !rules.display.heat;
    }
    if keys.just_pressed(KeyCode::KeyV) {
        rules.debug.values = !rules.debug.values;
    }
    if keys.just_pressed(KeyCode::KeyO) {
        rules.debug.tiles = !rules.debug.tiles;
    }
    if keys.just_pressed(KeyCode::Space) {
        torch.burning = !torch.burning;
    }
    if keys.just_pressed(KeyCode::KeyP) {
        panel.0 = !panel.0;
    }
}

/// Enter loads the next preset, and R draws the same preset with another seed.
fn change_preset(
    keys: Res<ButtonInput<KeyCode>>,
    mut begun: ResMut<Begun>,
    mut drawing: ResMut<Drawing>,
) {
    if keys.just_pressed(KeyCode::Enter) {
        let now = Preset::ALL
            .iter()
            .position(|&preset| preset == begun.preset)
            .unwrap_or(0);
        begun.preset = Preset::ALL[(now + 1) % Preset::ALL.len()];
    } else if keys.just_pressed(KeyCode::KeyR) {
        begun.seed = begun.seed.wrapping_add(1);
    } else {
        return;
    }
    *drawing = begun.preset.draw(begun.seed);
}

#[cfg(test)]
mod tests {
    use lanternfell::lightgrid::Cell;

    use super::*;

    #[test]
    fn light_follows_carved_passage_in_any_direction() {
        let from = IVec2::new(20, 20);
        for to in [(30, 30), (10, 27), (20, 35), (33, 20), (21, 7), (20, 20)] {
            let to = IVec2::from(to);
            let cells = way(from, to);
            assert_eq!((cells[0], cells[cells.len() - 1]), (from, to));
            let mut grid = LightGrid::new(40, 40, LightSettings::default()).unwrap();
            grid.fill(|cell| match cells.contains(&cell) {
                true => Cell::OPEN,
                false => Cell::WALL,
            })
            .unwrap();
            let torch = lanternfell::lightgrid::Source::new(from, 4.0 * Vec3::ONE);
            grid.set_sources(&[torch]).unwrap();
            grid.settle(1e-4);
            assert!(grid.luminance(to) > 0.01, "{to} is dark");
        }
    }
}
