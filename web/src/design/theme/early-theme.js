// Runs before the first paint, so that a chosen theme does not flash in.
(() => {
  const chosen = /(?:^|; )theme=(light|dark)(?:;|$)/.exec(document.cookie);
  if (chosen) document.documentElement.classList.add(chosen[1]);
})();

// A page whose scripts do not arrive says so instead of staying blank. Such errors do not bubble.
addEventListener(
  'error',
  ({ target }) => {
    const isOfPage = target instanceof HTMLScriptElement && target.type === 'module';
    if (isOfPage) document.getElementById('not-started')?.removeAttribute('hidden');
  },
  true,
);
