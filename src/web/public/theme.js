// Runs before the first paint, so that a dark page never flashes white. The rule is that of shared/theme.ts.
;(() => {
  var preference = 'system'
  try {
    preference = localStorage.getItem('ui-theme') || 'system'
  } catch (_) {
    // Storage is forbidden here (private mode, embedded page): follow the system.
  }
  var dark =
    preference === 'dark' || (preference !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches)
  var page = document.documentElement
  page.dataset.theme = dark ? 'dark' : 'light'
  // The bar of a phone's browser follows the page, not the system. The first of its two colours is the light one.
  var paintBar = () =>
    document.querySelectorAll('meta[name=theme-color]').forEach((bar, index) => {
      bar.media = (index === 1) === (page.dataset.theme === 'dark') ? 'all' : 'not all'
    })
  paintBar()
  new MutationObserver(paintBar).observe(page, { attributeFilter: ['data-theme'] })
})()
