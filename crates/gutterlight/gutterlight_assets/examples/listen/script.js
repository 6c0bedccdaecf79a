// Only one sound plays at a time. A line over the spectrogram shows the position, and a click on it plays from there.
const players = [...document.querySelectorAll("audio")];
for (const player of players) {
  const card = player.closest("article"), picture = card.querySelector(".picture"), line = picture.querySelector("b");
  const follow = () => {
    line.style.left = `${100 * player.currentTime / (player.duration || 1)}%`;
    if (!player.paused) requestAnimationFrame(follow);
  };
  player.addEventListener("play", () => {
    players.filter(other => other !== player).forEach(other => other.pause());
    card.classList.add("playing");
    follow();
  });
  player.addEventListener("pause", () => card.classList.remove("playing"));
  picture.addEventListener("click", async click => {
    const box = picture.querySelector("img").getBoundingClientRect();
    const part = Math.min(Math.max((click.clientX - box.left) / box.width, 0), 1);
    await player.play();
    player.currentTime = part * player.duration;
  });
}
