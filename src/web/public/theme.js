// Runs before the first paint, so that a dark page never flashes white. The same rule as shared/theme.ts.
;(() => {
  var preference = 'system'
  try {
    preference = localStorage.getItem('ui-theme') || 'system'
  } catch (_) {
    // Storage is forbidden here (private mode, embedded page): follow the system.
  }
  var dark =
    preference === 'dark' || (preference !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches)
  document.documentElement.dataset.theme = dark ? 'dark' : 'light'
})()
