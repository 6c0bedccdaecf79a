// The four articles behind this library: each a preset, and three lines on how it works.

export const ARTICLES = [
  {
    preset: "article-faults",
    name: "Fault lines",
    lines: [
      "A random line crosses the map, and all ground on one side of it is lifted a little.",
      "One line is a cliff. After a thousand the steps are too many and too small to see: they are mountains.",
      "Few lines show how it works. Where cliffs should not stay, a last step smooths the land.",
    ],
  },
  {
    preset: "article-fluid",
    name: "Fluid",
    lines: [
      "Begin with noise, and let it settle as honey does: each pass moves every cell towards its neighbors.",
      "Fine bumps vanish first and broad ones stay, so the number of passes says how wide the hills are.",
      "What settles are waves, each at its own pace. So a million passes take about as long as a thousand.",
    ],
  },
  {
    preset: "article-islands",
    name: "Simplex octaves",
    lines: [
      "Simplex noise is smooth and random, and its hills are all of about one size.",
      "Each octave adds hills half as wide and not so high; together they are land at every scale.",
      "The sea stands in the middle of the heights, so what is above it are islands, as far as you like.",
    ],
  },
  {
    preset: "article-hills",
    name: "Hills",
    lines: [
      "A hill is a paraboloid: round, and steepest where it ends. Hundreds of them are added up.",
      "For an island they are set around the middle, so that none reaches the border: there is the sea.",
      "At last a curve bends the heights: low land gets flat, and summits get steep.",
    ],
  },
];
