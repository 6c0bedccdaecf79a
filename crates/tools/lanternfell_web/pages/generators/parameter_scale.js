// Converts slider positions to parameter values.

/** The number of slider positions. */
export const PLACES = 1000;

/** The conversions from slider positions to values and back. */
export function scale(parameter) {
  const { min, max, logarithmic } = parameter.slider;
  const bent = logarithmic && min > 0;
  const exact = (place) => (bent ? min * (max / min) ** (place / PLACES) : min + ((max - min) * place) / PLACES);
  const whole = parameter.kind === "integer" ? Math.round : (number) => Number(number.toPrecision(4));
  const place = (value) => PLACES * (bent ? Math.log(Math.max(value, min) / min) / Math.log(max / min) : (value - min) / (max - min));
  return {
    value: (at) => Math.min(max, Math.max(min, whole(exact(at)))),
    place: (value) => Math.round(Math.min(PLACES, Math.max(0, place(value)))),
  };
}
