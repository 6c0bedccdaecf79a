// The four articles that this library is based on: a preset for each, and three lines that explain it.

export const ARTICLES = [
  {
    preset: "article-faults",
    name: "Fault lines",
    lines: [
      "A random line crosses the map, and the terrain on one side of it is raised a little.",
      "A single line is a cliff. After a thousand lines the steps are too small to see, and form mountains.",
      "With few lines you can see how it works. A final filter can smooth the cliffs.",
    ],
  },
  {
    preset: "article-fluid",
    name: "Fluid",
    lines: [
      "Start with noise and let it settle like honey: each pass moves every cell toward its neighbors.",
      "Small bumps vanish first and wide ones stay, so the number of passes sets the width of the hills.",
      "Each wavelength settles at its own rate. So a million passes take about as long as a thousand.",
    ],
  },
  {
    preset: "article-islands",
    name: "Simplex octaves",
    lines: [
      "Simplex noise is smooth and random, and its hills all have about the same size.",
      "Each octave adds hills that are half as wide and lower. Together they give detail at every scale.",
      "The sea level is in the middle of the height range, so the terrain above it forms islands.",
    ],
  },
  {
    preset: "article-hills",
    name: "Hills",
    lines: [
      "A hill is a paraboloid: round, and steepest at its edge. Hundreds of hills are added.",
      "For an island the hills are placed around the center, so that the border is sea.",
      "Finally a curve changes the heights: lowlands get flatter and summits steeper.",
    ],
  },
];
