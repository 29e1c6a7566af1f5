// Small makers of elements. Texts become text nodes, whatever they hold.

export function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (value !== null && value !== false) element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.filter((each) => each !== null));
  return element;
}

const SHAPES = {
  strong: ["rect", { x: 1.5, y: 1.5, width: 9, height: 9 }],
  weak: ["path", { d: "M6 1 11 6 6 11 1 6Z" }],
  irrelevant: ["circle", { cx: 6, cy: 6, r: 4.75 }],
};
export const CLASSES = ["irrelevant", "weak", "strong"];

// The shapes of the report: a square, a diamond, a ring
export function mark(relevance) {
  const space = "http://www.w3.org/2000/svg";
  const picture = document.createElementNS(space, "svg");
  const [tag, attributes] = SHAPES[relevance];
  const shape = document.createElementNS(space, tag);
  for (const [name, value] of Object.entries(attributes)) shape.setAttribute(name, value);
  for (const [name, value] of Object.entries({ class: `mark ${relevance}`, width: 12, height: 12, viewBox: "0 0 12 12", "aria-hidden": "true" })) picture.setAttribute(name, value);
  picture.append(shape);
  return picture;
}

const MINUS = "\u2212";
export const percent = (share, digits = 1) => `${(100 * share).toFixed(digits).replace(/^-(?=0(\.0*)?$)/, "").replace("-", MINUS)} %`;
export const number = (value) => String(Number(value.toPrecision(3)));
export const listed = (names) => (names.length > 1 ? `${names.slice(0, -1).join(", ")} and ${names.at(-1)}` : names[0] ?? "");
