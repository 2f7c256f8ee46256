// Opens the booking page with the time of a link in an email chosen (?start=…&type=…). It runs before the page's own
// script, which restores the draft of this history entry. The server adds it only to pages with such an address.
;(() => {
  var query = new URLSearchParams(location.search)
  var start = new Date(query.get('start') || '')
  // After a reload the history entry has the customer's own draft.
  if (!(start > new Date()) || (history.state && 'draft' in history.state)) return
  var two = (number) => String(number).padStart(2, '0')
  var draft = {
    typeId: query.get('type'),
    date: [start.getFullYear(), two(start.getMonth() + 1), two(start.getDate())].join('-'),
    startsAt: start.toISOString().replace('.000', ''),
    zone: 'visitor',
  }
  history.replaceState(Object.assign({}, history.state, { draft: draft }), '')
})()
