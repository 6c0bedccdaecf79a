use super::*;
use crate::sound::measure::*;
fn played(cue: Cue, seconds: f32, master: f32) -> Vec<f32> {
    let mut mixer = Mixer::new(bank(), 1);
    mixer.set_volumes(Volumes {
        master,
        effects: 1.0,
        ambience: 0.0,
    });
    draw(&mut mixer, 0.2);
    mixer.play(cue);
    let mut out = vec![0.0; 2 * samples(seconds)];
    mixer.fill(&mut out);
    out
}
#[test]
fn table() {
    let master = std::env::var("MASTER").map_or(0.8, |v| v.parse().unwrap());
    for name in SoundName::all() {
        let n = name.terms().variations;
        let mut ls = vec![];
        let mut tp = -99.0_f64;
        for v in 0..n {
            let out = played(
                Cue::new(name).variation(v),
                name.terms().longest + 0.3,
                master,
            );
            ls.push(momentary(&out, RATE).unwrap());
            tp = tp.max(true_peak(&out, RATE).unwrap());
        }
        let lo = ls.iter().copied().fold(f64::MAX, f64::min);
        let hi = ls.iter().copied().fold(f64::MIN, f64::max);
        eprintln!(
            "{:7.1} {:7.1} | set {:5.1} tp {:5.1} n {n} {:?}",
            lo,
            hi,
            name.terms().loudness,
            tp,
            name
        );
    }
    for (what, scene) in [
        ("calm cellars", Scene::default()),
        (
            "cistern",
            Scene {
                theme: Theme::Cistern,
                ..Scene::default()
            },
        ),
        (
            "chapel",
            Scene {
                theme: Theme::Chapel,
                ..Scene::default()
            },
        ),
        (
            "catacombs",
            Scene {
                theme: Theme::Catacombs,
                ..Scene::default()
            },
        ),
        (
            "sanctum",
            Scene {
                theme: Theme::Sanctum,
                ..Scene::default()
            },
        ),
        (
            "torch",
            Scene {
                torch: 1.0,
                ..Scene::default()
            },
        ),
        (
            "guttering",
            Scene {
                torch: 1.0,
                guttering: 1.0,
                ..Scene::default()
            },
        ),
        (
            "dark",
            Scene {
                darkness: 1.0,
                ..Scene::default()
            },
        ),
        (
            "alarm",
            Scene {
                alarm: 1.0,
                ..Scene::default()
            },
        ),
        (
            "dark alarm",
            Scene {
                darkness: 1.0,
                alarm: 1.0,
                ..Scene::default()
            },
        ),
        (
            "heart",
            Scene {
                nerve: 0.0,
                ..Scene::default()
            },
        ),
        ("all", everything(Theme::Cistern)),
    ] {
        let mut mixer = Mixer::new(bank(), 1);
        mixer.set_volumes(Volumes {
            master,
            effects: 1.0,
            ambience: 0.8,
        });
        mixer.set_scene(scene);
        draw(&mut mixer, 6.0);
        let mut out = vec![0.0; 2 * samples(12.0)];
        mixer.fill(&mut out);
        eprintln!(
            "{what}: {:.1} tp {:.1}",
            momentary(&out, RATE).unwrap(),
            true_peak(&out, RATE).unwrap()
        );
    }
}

#[test]
fn mixes() {
    use super::mix::*;
    for (count, pan) in [
        (1, 0.0),
        (1, 1.0),
        (4, 0.0),
        (8, 0.0),
        (16, 0.0),
        (16, 1.0),
        (24, 0.0),
    ] {
        for master in [1.0_f32, 0.8] {
            let score = loudest(count, pan);
            let scene = everything(Theme::Cistern);
            let out = heard(&score, scene, master, 2.0);
            let g = gains(&score, scene, master, 2.0);
            let least = g.iter().copied().fold(0.0, f64::min);
            eprintln!(
                "{count} pan {pan} master {master}: tp {:.2} lufs {:.1} gain {least:.1} rise/100ms {:.2}",
                true_peak(&out, RATE).unwrap(),
                momentary(&out, RATE).unwrap(),
                rise(&g, 20)
            );
        }
    }
    eprintln!(
        "{:?}",
        loudest(16, 0.0)
            .iter()
            .map(|c| c.1.sound)
            .collect::<Vec<_>>()
    );
    for master in [1.0_f32, 0.8] {
        let out = heard(&uproar(), everything(Theme::Cellars), master, 8.0);
        let g = gains(&uproar(), everything(Theme::Cellars), master, 8.0);
        eprintln!(
            "uproar {master}: tp {:.2} lufs {:.1} rise/100ms {:.2}",
            true_peak(&out, RATE).unwrap(),
            momentary(&out, RATE).unwrap(),
            rise(&g, 20)
        );
        let line: Vec<String> = g
            .chunks(20)
            .map(|c| format!("{:.1}", c.iter().sum::<f64>() / c.len() as f64))
            .collect();
        eprintln!("{}", line.join(" "));
    }
    for name in SoundName::all() {
        let mut worst = 0.0_f64;
        for v in 0..name.terms().variations {
            let g = gains(
                &[(0.0, Cue::new(name).variation(v))],
                Scene::default(),
                0.8,
                1.0,
            );
            worst = worst.min(g.iter().copied().fold(0.0, f64::min));
        }
        if worst < -0.05 {
            eprintln!("touched {name:?} {worst:.2}");
        }
    }
}

#[test]
fn step_spectra() {
    let names: Vec<SoundName> = Ground::ALL
        .map(|g| SoundName::World(Sound::Steps(g)))
        .into_iter()
        .chain([Sound::Paws.into()])
        .collect();
    let sp = Spectra::new(2048, RATE);
    let b = bank();
    let feats: Vec<(usize, Vec<f64>, Vec<f64>)> = names
        .iter()
        .enumerate()
        .flat_map(|(k, &n)| (0..n.terms().variations).map(move |v| (k, n, v)))
        .map(|(k, n, v)| {
            let c = clip(&b, n, v);
            let bands = sp.bark(c);
            let most = bands.iter().copied().fold(0.0, f64::max);
            let db = bands
                .iter()
                .map(|p| (10.0 * (p / most).max(1e-9).log10()).max(-40.0))
                .collect();
            let mut env: Vec<f64> = c.chunks(441).map(power).collect();
            env.resize(60, 0.0);
            let most = env.iter().copied().fold(0.0, f64::max);
            let env = env
                .iter()
                .map(|p| (10.0 * (p / most).max(1e-9).log10()).max(-40.0))
                .collect();
            (k, db, env)
        })
        .collect();
    let d = |a: &[f64], b: &[f64]| {
        (a.iter().zip(b).map(|(x, y)| (x - y).powi(2)).sum::<f64>() / a.len() as f64).sqrt()
    };
    for i in 0..names.len() {
        for j in i..names.len() {
            let (mut s, mut e, mut t, mut n, mut mn, mut mx) =
                (0.0, 0.0, 0.0, 0.0, 1e9_f64, 0.0_f64);
            for (x, a) in feats.iter().enumerate() {
                for (y, b) in feats.iter().enumerate() {
                    if x != y && a.0 == i && b.0 == j {
                        let (p, q) = (d(&a.1, &b.1), d(&a.2, &b.2));
                        let r = (p * p + q * q).sqrt();
                        s += p;
                        e += q;
                        t += r;
                        n += 1.0;
                        mn = mn.min(r);
                        mx = mx.max(r);
                    }
                }
            }
            eprintln!(
                "{i} {j}: spec {:.1} env {:.1} both {:.1} min {mn:.1} max {mx:.1}",
                s / n,
                e / n,
                t / n
            );
        }
    }
    for i in 0..names.len() {
        let f: Vec<_> = feats.iter().filter(|f| f.0 == i).collect();
        let m: Vec<String> = (0..24)
            .map(|k| {
                format!(
                    "{:.0}",
                    f.iter().map(|f| f.1[k]).sum::<f64>() / f.len() as f64
                )
            })
            .collect();
        let e: Vec<String> = (0..40)
            .map(|k| {
                format!(
                    "{:.0}",
                    f.iter().map(|f| f.2[k]).sum::<f64>() / f.len() as f64
                )
            })
            .collect();
        eprintln!("{:?}\n  {}\n  {}", names[i], m.join(" "), e.join(" "));
    }
}
