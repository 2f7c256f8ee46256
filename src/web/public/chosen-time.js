// Opens the booking page with the time of a link in an email (?start=…&type=…) or the type of a link (?type=…) chosen. It
// runs before the page's own script, which restores the draft of this history entry. The server adds it only to pages with
// such an address.
;(() => {
  var query = new URLSearchParams(location.search)
  var start = new Date(query.get('start') || '')
  // After a reload the history entry has the customer's own draft.
  if (history.state && 'draft' in history.state) return
  var two = (number) => String(number).padStart(2, '0')
  var draft = { typeId: query.get('type') }
  if (start > new Date()) {
    draft.date = [start.getFullYear(), two(start.getMonth() + 1), two(start.getDate())].join('-')
    draft.startsAt = start.toISOString().replace('.000', '')
    draft.zone = 'visitor'
  } else if (query.has('start') || !draft.typeId) return
  history.replaceState(Object.assign({}, history.state, { draft: draft }), '')
})()
