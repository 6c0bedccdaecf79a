//! Rivers and lakes as one list of words of 32 bits, and back: to send them to another thread that shares no memory,
//! or to keep them.
//!
//! ```text
//!   width  height  spacing
//!   lakes      count, then each   level  cells  area  depth  positions  indices
//!   rivers     count, then each   from  end  points  positions  flow  turbulence  distances  indices
//!   squares    count, then each   cell  ground (4)  end of its triangles  lake + 1, or 0  its sheet (4), if any
//!   triangles  count, then each   river  triangle
//! ```
//!
//! Numbers with a point are their bits. A list begins with how many entries it has.
//!
//! What is read is checked: whatever the words, nothing that was made of them points to what is not there.

use thiserror::Error;

use super::{
    lake::{LakeMesh, LakeWater},
    ribbon::{Frame, RibbonMesh, RiverWaterPoint},
    waters::{Lookup, Over, RiverEnd, RiverWater, Square, Waters},
};
use lanternfell_heightmap::MapSize;

/// Why words are not those of [`Waters`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum WordsError {
    /// There are fewer than they say themselves.
    #[error("the words of rivers and lakes end after {0}, which is too early")]
    Short(usize),
    /// There are more than they say themselves.
    #[error("there are {0} words after the last ones of rivers and lakes")]
    Long(usize),
    /// One of them can not be where it is.
    #[error("word {index} of rivers and lakes is {found:#010x}, which can not be")]
    Value {
        /// Which one.
        index: usize,
        /// What it is.
        found: u32,
    },
}

impl Waters {
    /// All of it as numbers, for [`from_words`](Self::from_words).
    pub fn words(&self) -> Vec<u32> {
        let mut words = Words::default();
        let lookup = self.lookup();
        let (width, height) = lookup.frame.size();
        words.wholes(&[width, height]);
        words.floats(&[lookup.frame.spacing()]);
        words.length(self.lakes());
        for lake in self.lakes() {
            words.lake(lake);
        }
        words.length(self.rivers());
        for river in self.rivers() {
            words.river(river);
        }
        words.squares(lookup, width);
        words.length(&lookup.triangles);
        for over in &lookup.triangles {
            words.wholes(&[over.river, over.triangle]);
        }
        words.0
    }

    /// What those [`words`](Self::words) were of, on a map of that size.
    ///
    /// # Errors
    /// When they are not those of rivers and lakes of such a map.
    pub fn from_words(size: MapSize, words: &[u32]) -> Result<Self, WordsError> {
        let mut from = Reader { words, at: 0 };
        for cells in [size.width(), size.height()] {
            from.whole_that(|found| found as usize == cells)?;
        }
        let spacing = from.float_that(|spacing| spacing.is_finite() && spacing > 0.0)?;
        let frame = Frame::new([size.width(), size.height()], spacing);
        let lakes = from.entries(6, |from, _| from.lake())?;
        let rivers = from.entries(9, |from, index| from.river(index, lakes.len()))?;
        let squares = from.entries(7, |from, _| from.square(size, lakes.len()))?;
        let triangles = from.entries(2, |from, _| from.over(&rivers))?;
        let lookup = from.lookup(frame, squares, triangles)?;
        match words.len() - from.at {
            0 => Ok(Self::new(rivers, lakes, lookup)),
            left => Err(WordsError::Long(left)),
        }
    }
}

#[derive(Default)]
struct Words(Vec<u32>);

impl Words {
    fn wholes(&mut self, numbers: &[u32]) {
        self.0.extend_from_slice(numbers);
    }

    fn floats(&mut self, numbers: &[f32]) {
        self.0.extend(numbers.iter().map(|number| number.to_bits()));
    }

    fn length<T>(&mut self, list: &[T]) {
        self.0.push(list.len() as u32);
    }

    fn list<const N: usize>(&mut self, list: &[[f32; N]]) {
        self.length(list);
        self.floats(list.as_flattened());
    }

    fn indices(&mut self, indices: &[u32]) {
        self.length(indices);
        self.wholes(indices);
    }

    fn option(&mut self, index: Option<usize>) {
        self.0.push(index.map_or(0, |index| index as u32 + 1));
    }

    fn lake(&mut self, lake: &LakeWater) {
        let &LakeWater {
            level,
            cells,
            area,
            depth,
            ref mesh,
        } = lake;
        self.floats(&[level]);
        self.wholes(&[cells]);
        self.floats(&[area, depth]);
        self.list(&mesh.positions);
        self.indices(&mesh.indices);
    }

    fn river(&mut self, river: &RiverWater) {
        let RiverWater {
            points,
            from_lake,
            end,
            mesh,
        } = river;
        self.option(*from_lake);
        self.wholes(&match *end {
            RiverEnd::Sea => [0, 0],
            RiverEnd::Outlet => [1, 0],
            RiverEnd::Lake(lake) => [2, lake as u32],
            RiverEnd::River(river) => [3, river as u32],
        });
        self.length(points);
        for point in points {
            self.point(point);
        }
        self.list(&mesh.positions);
        self.list(&mesh.flow);
        self.list(mesh.turbulence.as_chunks::<1>().0);
        self.list(&mesh.distances);
        self.indices(&mesh.indices);
    }

    fn point(&mut self, point: &RiverWaterPoint) {
        let &RiverWaterPoint {
            position: [x, y, z],
            half_width,
            depth,
            velocity: [east, south],
            turbulence,
        } = point;
        self.floats(&[x, y, z, half_width, depth, east, south, turbulence]);
    }

    fn squares(&mut self, lookup: &Lookup, width: u32) {
        self.length(&lookup.squares);
        for square in &lookup.squares {
            self.wholes(&[square.row * width + square.column]);
            self.floats(&square.ground);
            self.wholes(&[square.triangles.1]);
            self.option(square.lake.map(|lake| lake as usize));
            if square.lake.is_some() {
                self.floats(&square.sheet);
            }
        }
    }
}

/// Words, and which is the next.
struct Reader<'a> {
    words: &'a [u32],
    at: usize,
}

impl Reader<'_> {
    /// The next so many.
    fn take(&mut self, count: usize) -> Result<&[u32], WordsError> {
        let short = WordsError::Short(self.words.len());
        let end = self.at.checked_add(count).ok_or(short)?;
        let taken = self.words.get(self.at..end).ok_or(short)?;
        self.at = end;
        Ok(taken)
    }

    fn whole(&mut self) -> Result<u32, WordsError> {
        Ok(self.take(1)?[0])
    }

    fn whole_that(&mut self, can_be: impl Fn(u32) -> bool) -> Result<u32, WordsError> {
        let found = self.whole()?;
        match can_be(found) {
            true => Ok(found),
            false => Err(self.wrong(1)),
        }
    }

    fn float_that(&mut self, can_be: impl Fn(f32) -> bool) -> Result<f32, WordsError> {
        let found = self.whole_that(|found| can_be(f32::from_bits(found)));
        found.map(f32::from_bits)
    }

    /// The word before so many can not be.
    fn wrong(&self, back: usize) -> WordsError {
        let index = self.at - back;
        WordsError::Value {
            index,
            found: self.words[index],
        }
    }

    fn floats<const N: usize>(&mut self) -> Result<[f32; N], WordsError> {
        let found = self.take(N)?;
        let numbers = std::array::from_fn(|at| f32::from_bits(found[at]));
        match numbers.iter().position(|number| number.is_nan()) {
            None => Ok(numbers),
            Some(at) => Err(self.wrong(N - at)),
        }
    }

    /// An index of one of so many things, or none.
    fn option(&mut self, count: usize) -> Result<Option<usize>, WordsError> {
        let found = self.whole_that(|found| found as usize <= count)?;
        Ok((found as usize).checked_sub(1))
    }

    /// How many entries follow, each of so many words at least, all of which must be there: memory is taken for no
    /// more.
    fn length(&mut self, least_words: usize) -> Result<usize, WordsError> {
        let left = self.words.len().saturating_sub(self.at + 1);
        let found = self.whole_that(|found| found as usize <= left / least_words)?;
        Ok(found as usize)
    }

    /// Entries of so many words at least.
    fn entries<T>(
        &mut self,
        least_words: usize,
        read: impl Fn(&mut Self, usize) -> Result<T, WordsError>,
    ) -> Result<Vec<T>, WordsError> {
        let length = self.length(least_words)?;
        let mut entries = Vec::with_capacity(length);
        for index in 0..length {
            entries.push(read(self, index)?);
        }
        Ok(entries)
    }

    /// A list of points or the like.
    fn list<const N: usize>(&mut self) -> Result<Vec<[f32; N]>, WordsError> {
        let length = self.length(N)?;
        let found = self.take(N * length)?;
        let is_nan = |&word: &u32| f32::from_bits(word).is_nan();
        let wrong = found.iter().rposition(is_nan);
        let lists = found.as_chunks().0.iter();
        let list = lists.map(|words| words.map(f32::from_bits)).collect();
        match wrong {
            None => Ok(list),
            Some(at) => Err(self.wrong(N * length - at)),
        }
    }

    /// A list of points or the like, one for each vertex.
    fn list_of<const N: usize>(&mut self, length: usize) -> Result<Vec<[f32; N]>, WordsError> {
        let index = self.at;
        let list = self.list()?;
        match list.len() == length {
            true => Ok(list),
            false => Err(WordsError::Value {
                index,
                found: self.words[index],
            }),
        }
    }

    /// The triangles of so many vertices.
    fn indices(&mut self, vertices: usize) -> Result<Vec<u32>, WordsError> {
        let length = self.length(1)?;
        if length % 3 != 0 {
            return Err(self.wrong(1));
        }
        let indices = self.take(length)?.to_vec();
        match indices.iter().position(|&at| at as usize >= vertices) {
            None => Ok(indices),
            Some(at) => Err(self.wrong(length - at)),
        }
    }

    fn lake(&mut self) -> Result<LakeWater, WordsError> {
        let [level] = self.floats()?;
        let cells = self.whole()?;
        let [area, depth] = self.floats()?;
        let positions = self.list()?;
        let indices = self.indices(positions.len())?;
        Ok(LakeWater {
            level,
            cells,
            area,
            depth,
            mesh: LakeMesh { positions, indices },
        })
    }

    /// The river of that index, where there are so many lakes.
    fn river(&mut self, index: usize, lakes: usize) -> Result<RiverWater, WordsError> {
        let from_lake = self.option(lakes)?;
        let [kind, of] = [self.whole()?, self.whole()?];
        let of = of as usize;
        let end = match kind {
            0 => RiverEnd::Sea,
            1 => RiverEnd::Outlet,
            2 if of < lakes => RiverEnd::Lake(of),
            // Those that others end in come first.
            3 if of < index => RiverEnd::River(of),
            _ => return Err(self.wrong(2)),
        };
        let points = self.entries(8, |from, _| from.point())?;
        let positions = self.list()?;
        let vertices = positions.len();
        let mesh = RibbonMesh {
            positions,
            flow: self.list_of(vertices)?,
            turbulence: self.list_of::<1>(vertices)?.into_flattened(),
            distances: self.list_of(vertices)?,
            indices: self.indices(vertices)?,
        };
        Ok(RiverWater {
            points,
            from_lake,
            end,
            mesh,
        })
    }

    fn point(&mut self) -> Result<RiverWaterPoint, WordsError> {
        let [x, y, z, half_width, depth, east, south, turbulence] = self.floats()?;
        Ok(RiverWaterPoint {
            position: [x, y, z],
            half_width,
            depth,
            velocity: [east, south],
            turbulence,
        })
    }

    /// A square, whose triangles begin where those of the one before end, which is not known here.
    fn square(&mut self, size: MapSize, lakes: usize) -> Result<Square, WordsError> {
        let width = size.width() as u32;
        let (columns, rows) = (width - 1, size.height() as u32 - 1);
        let cell = self.whole_that(|cell| cell % width < columns && cell / width < rows)?;
        let ground = self.floats()?;
        let end = self.whole()?;
        let lake = self.option(lakes)?.map(|lake| lake as u32);
        let sheet = match lake {
            Some(_) => self.floats()?,
            None => [0.0; 4],
        };
        Ok(Square {
            column: cell % width,
            row: cell / width,
            ground,
            lake,
            sheet,
            triangles: (0, end),
        })
    }

    fn over(&mut self, rivers: &[RiverWater]) -> Result<Over, WordsError> {
        let [river, triangle] = [self.whole()?, self.whole()?];
        let found = rivers.get(river as usize);
        let triangles = found.map_or(0, |river| river.mesh.indices.len() / 3);
        match (triangle as usize) < triangles {
            true => Ok(Over { river, triangle }),
            false => Err(self.wrong(1)),
        }
    }

    /// What finds those squares and triangles, which were the last words.
    fn lookup(
        &self,
        frame: Frame,
        squares: Vec<Square>,
        triangles: Vec<Over>,
    ) -> Result<Lookup, WordsError> {
        let mut lookup = Lookup::empty(frame, triangles);
        let mut first = 0;
        for mut square in squares {
            let end = square.triangles.1;
            square.triangles.0 = std::mem::replace(&mut first, end);
            if end < square.triangles.0 || !lookup.add(square) {
                return Err(self.wrong(1));
            }
        }
        match first as usize == lookup.triangles.len() {
            true => Ok(lookup.whole()),
            false => Err(self.wrong(1)),
        }
    }
}
