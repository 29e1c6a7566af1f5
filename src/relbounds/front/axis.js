// Where on a bar's track does a weight stand? One axis for all features, with zero on it.

const ROUND = [1, 2, 5, 10];

export class Axis {
  constructor(low, high, chance) {
    const most = Math.max(...high, ...chance.filter(Number.isFinite), 0.01);
    const least = Math.min(...low, ...chance.filter(Number.isFinite).map((each) => -each), -0.01);
    const room = 0.04 * (most - least);
    [this.least, this.most] = [least - room, most + room];
  }

  holds(low, high) {
    return low.every((each) => each >= this.least) && high.every((each) => each <= this.most);
  }

  place(value) { return (100 * (value - this.least)) / (this.most - this.least); }
  value(share) { return this.least + share * (this.most - this.least); }

  get ticks() {
    const rough = (this.most - this.least) / 7, power = 10 ** Math.floor(Math.log10(rough));
    const step = power * ROUND.find((each) => each * power >= rough);
    const first = Math.ceil(this.least / step), last = Math.floor(this.most / step);
    return Array.from({ length: last - first + 1 }, (_, k) => (first + k) * step);
  }
}
