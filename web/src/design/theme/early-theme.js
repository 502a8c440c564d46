// Runs before the first paint, so that a chosen theme does not flash in.
(() => {
  const chosen = /(?:^|; )theme=(light|dark)(?:;|$)/.exec(document.cookie);
  if (chosen) document.documentElement.classList.add(chosen[1]);
})();
