// Runs in the page: the names of colours that have too little contrast with the ground, by WCAG 2.2 (1.4.3 and 1.4.11).
(() => {
  const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
  const luminance = (colour) => {
    canvas.fillStyle = colour;
    canvas.fillRect(0, 0, 1, 1);
    const [red, green, blue] = [...canvas.getImageData(0, 0, 1, 1).data].map((value) => {
      const share = value / 255;
      return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const ground = luminance(getComputedStyle(document.body).backgroundColor);
  const contrast = (colour) => {
    const other = luminance(colour);
    return (Math.max(ground, other) + 0.05) / (Math.min(ground, other) + 0.05);
  };
  const bars = ['drain', 'restart', 'validation', 'jobs', 'uncordon', 'failed'].map((phase) => {
    const bar = document.body.appendChild(document.createElement('span'));
    bar.className = `bar ${phase}`;
    return { name: phase, least: 3, colour: getComputedStyle(bar).backgroundColor };
  });
  const texts = ['.summary li', '.keys', 'h1', '.mark', '.name', '.help'].map((name) => {
    return { name, least: 4.5, colour: getComputedStyle(document.querySelector(name)).color };
  });
  return [...bars, ...texts].filter(({ colour, least }) => contrast(colour) < least).map(({ name }) => name);
})();
