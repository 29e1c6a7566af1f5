// What do hands want? Drags, clicks and keys on bars become wishes: {feature, low, high}, or away.

const FAR = 4; // pixels: less is a click
const STEP = 0.01, LEAP = 0.1; // of the range that is free, by an arrow
const DIGITS = 1e4; // of a share that is dragged to: so that what is copied is short

// The nearest short number within a range
export function inward(value, low, high) {
  const clamped = Math.min(Math.max(value, low), high);
  const short = Math.round(clamped * DIGITS) / DIGITS;
  if (short >= low && short <= high) return short;
  const moved = short + (short < low ? 1 : -1) / DIGITS;
  const rounded = Math.round(moved * DIGITS) / DIGITS;
  return rounded >= low && rounded <= high ? rounded : (low + high) / 2;
}

export class Gestures {
  // wish: {asked, limits, drag(feature, kind, value, isDone), away(feature), free(feature), unfold(feature)}
  constructor(bars, wish) {
    Object.assign(this, { bars, wish, held: null });
    bars.list.addEventListener("pointerdown", (event) => this.begin(event));
    bars.list.addEventListener("pointermove", (event) => this.move(event));
    for (const name of ["pointerup", "pointercancel"]) bars.list.addEventListener(name, (event) => this.end(event));
    bars.list.addEventListener("click", (event) => this.click(event));
    bars.list.addEventListener("keydown", (event) => this.press(event));
    bars.list.addEventListener("focusin", (event) => { if (this.rowOf(event)) bars.reach(this.rowOf(event)); });
  }

  rowOf(event) {
    const item = event.target.closest("li.row");
    return item && this.bars.rows[Number(item.dataset.feature)];
  }

  begin(event) {
    const row = this.rowOf(event), track = event.target.closest(".track");
    if (!row || !track || event.button !== 0 || row.item.classList.contains("still")) return;
    const end = event.target.dataset?.end ?? this.near(row, event) ?? "body";
    this.held = { row, kind: end, from: event.clientX, isDrag: false, pointer: event.pointerId };
    track.setPointerCapture(event.pointerId);
    event.preventDefault();
    (end === "body" ? row.name : row[end]).focus({ preventScroll: true });
  }

  // An end that is next to the pointer, if the bar is wide enough to tell
  near(row, event) {
    const { left, right } = row.bar.getBoundingClientRect(), reach = Math.min(10, (right - left) / 4);
    if (Math.abs(event.clientX - left) <= reach || (event.clientX < left && event.clientX > left - 12)) return "low";
    if (Math.abs(event.clientX - right) <= reach || (event.clientX > right && event.clientX < right + 12)) return "high";
    return null;
  }

  move(event) {
    const { held } = this;
    if (!held || event.pointerId !== held.pointer || !this.wish.canDrag) return;
    if (!held.isDrag && Math.abs(event.clientX - held.from) < FAR) return;
    if (!held.isDrag && held.row.item.classList.contains("absent")) return;
    held.isDrag = true;
    held.at = this.value(held.row, event);
    if (held.frame) return;
    held.frame = requestAnimationFrame(() => {
      held.frame = null;
      if (this.held === held) this.wish.drag(held.row.feature, held.kind, held.at, false);
    });
  }

  end(event) {
    const { held } = this;
    if (!held || event.pointerId !== held.pointer) return;
    this.held = null;
    const feature = held.row.feature;
    if (held.isDrag) this.wish.drag(feature, held.kind, event.type === "pointerup" ? this.value(held.row, event) : held.at, true);
    else if (event.type === "pointerup" && this.isOnBar(held.row, event)) this.wish.away(feature);
  }

  value(row, event) {
    const { left, width } = row.track.getBoundingClientRect();
    return this.bars.axis.value((event.clientX - left) / width);
  }

  // A click counts on the bar, or on what is left of one that was taken away
  isOnBar(row, event) {
    const on = row.item.classList.contains("absent") ? row.ghost : row.bar;
    const { left, right } = on.getBoundingClientRect();
    return event.clientX >= left - 8 && event.clientX <= right + 8;
  }

  click(event) {
    const row = this.rowOf(event);
    if (event.target.closest(".away")) this.wish.away(row.feature);
    else if (event.target.closest(".name")) this.wish.unfold(row.feature);
  }

  press(event) {
    const row = this.rowOf(event), { target, key } = event;
    if (!row || target.closest(".more") || event.ctrlKey || event.metaKey || event.altKey) return;
    const on = ["name", "low", "high", "away"].find((each) => row[each] === target);
    const does = {
      ArrowUp: () => this.step(row, on, -1), ArrowDown: () => this.step(row, on, 1),
      Delete: () => this.wish.away(row.feature), Backspace: () => this.wish.away(row.feature), Escape: () => this.wish.free(row.feature),
      ...(this.wish.canDrag && (on === "low" || on === "high") ? this.slides(row, on, event.shiftKey) : {}),
    }[key];
    if (!does) return;
    event.preventDefault();
    does();
  }

  slides(row, end, isFar) {
    const { low, high } = this.wish.limits(row.feature), size = (isFar ? LEAP : STEP) * (high - low);
    const now = this.wish.ends(row.feature)[end];
    const to = (value) => () => this.wish.drag(row.feature, end, value, true);
    return {
      ArrowLeft: to(now - size), ArrowRight: to(now + size), PageDown: to(now - LEAP * (high - low)), PageUp: to(now + LEAP * (high - low)),
      Home: to(low), End: to(high), p: () => this.wish.drag(row.feature, "body", now, true),
    };
  }

  step(row, on, by) {
    const shown = this.bars.shown(), next = shown[shown.indexOf(row) + by];
    if (!next) return;
    this.bars.reach(next);
    next[on ?? "name"].focus();
  }
}
