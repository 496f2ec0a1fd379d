// Building elements of the page: HTML and SVG by tag, attributes and children.

const SVG = "http://www.w3.org/2000/svg";

function filled(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
}

export function make(tag, attributes = {}, ...children) {
  return filled(document.createElement(tag), attributes, children);
}

export function draw(tag, attributes = {}, ...children) {
  return filled(document.createElementNS(SVG, tag), attributes, children);
}

export function byId(id) {
  return document.getElementById(id);
}

// A text is written only where it has changed, so that nothing is read out twice.
export function write(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

// An attribute that is absent where its value is null.
export function mark(element, name, value) {
  if (value === null || value === undefined || value === false) element.removeAttribute(name);
  else if (element.getAttribute(name) !== String(value)) element.setAttribute(name, String(value));
}

// Written only where it changes: a browser styles an element anew even for what it has already.
export function hide(element, hidden) {
  if (element.hidden !== hidden) element.hidden = hidden;
}

// Whether somebody is choosing from a list just now; a browser that cannot tell is taken to have it closed.
export function isOpen(select) {
  return document.activeElement === select && CSS.supports("selector(:open)") && select.matches(":open");
}

export function save(name, text) {
  const address = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
  const link = make("a", { href: address, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(address), 1000);
}
