// How do questions reach whoever answers? One gesture at a time: while one is being answered, only
// the newest of those that follow is kept. Questions that can wait are asked when nobody else asks.

const IDLE = 250; // milliseconds without a gesture

export class Asker {
  constructor(send) {
    this.send = send;
    this.client = Math.random().toString(36).slice(2);
    this.number = 0;
    this.isBusy = false;
    this.next = null;
    this.last = 0;
    this.waiting = Promise.resolve();
  }

  async ask(question, asked = {}) {
    this.number += 1;
    const told = await this.send({ question, client: this.client, number: this.number, ...asked });
    return told.overtaken ? null : told.answer;
  }

  // The newest gesture; the promise of one that was overtaken gives null
  latest(question, asked) {
    this.last = performance.now();
    this.next?.done(null);
    return new Promise((done, failed) => {
      this.next = { question, asked, done, failed };
      if (!this.isBusy) this.goOn();
    });
  }

  async goOn() {
    this.isBusy = true;
    while (this.next) {
      const { question, asked, done, failed } = this.next;
      this.next = null;
      try { done(await this.ask(question, asked)); } catch (error) { failed(error); }
    }
    this.isBusy = false;
  }

  // What can wait: one after another, each when it has been quiet for a while
  whenIdle(question, asked) {
    const quiet = async () => {
      while (this.isBusy || performance.now() - this.last < IDLE) await new Promise((on) => { setTimeout(on, IDLE); });
      return this.ask(question, asked);
    };
    const answer = this.waiting.then(quiet);
    this.waiting = answer.catch(() => null);
    return answer;
  }
}
