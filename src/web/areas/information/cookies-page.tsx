import { BROWSER_STORAGE_ITEMS, type BrowserStorageItem } from '#contract/information/browser-storage.ts'
import { DescriptionList, InformationLayout, type InformationSection } from './information-layout.tsx'

/** The page `/cookies`: lists everything that is stored in a browser, by name. Source: rule D7. */
export function CookiesPage() {
  return (
    <InformationLayout
      title="Cookies"
      intro="Meridian keeps a few things in your browser that its pages need to work. None of them track you, here or elsewhere, so there is nothing to agree to. If you only browse or book, no cookies are set at all."
      sections={SECTIONS}
    />
  )
}

const SECTIONS: readonly InformationSection[] = [
  {
    id: 'cookies',
    title: 'Cookies',
    content: (
      <>
        <p>
          Sent to this website with each request. Only owners who log in have them, and customers who entered
          a code to see all their appointments. Scripts can’t read them. With https, their names start with{' '}
          <code>__Secure-</code>.
        </p>
        {listOf('cookie')}
      </>
    ),
  },
  {
    id: 'local-storage',
    title: 'Local storage',
    content: (
      <>
        <p>Stays in the browser and is never sent automatically.</p>
        {listOf('local storage')}
      </>
    ),
  },
  {
    id: 'session-storage',
    title: 'Session storage',
    content: (
      <>
        <p>The same, but for one tab. It’s deleted when you close the tab.</p>
        {listOf('session storage')}
      </>
    ),
  },
  {
    id: 'history',
    title: 'History of a tab',
    content: (
      <>
        <p>Belongs to one page in one tab’s history. It’s deleted when you close the tab.</p>
        {listOf('history')}
      </>
    ),
  },
  {
    id: 'cache-storage',
    title: 'Cache storage',
    content: (
      <>
        <p>Files of this website, the same for everyone.</p>
        {listOf('cache storage')}
      </>
    ),
  },
  {
    id: 'other-websites',
    title: 'Other websites',
    content: (
      <p>
        Pages of this website load nothing from other sites, so nobody else can set a cookie here. To pay, you
        go to a Stripe or PayPal page, which says what it keeps in your browser.
      </p>
    ),
  },
  {
    id: 'remove',
    title: 'How to remove them',
    content: (
      <p>
        Sign Out ends the session and removes its cookie. A tab’s history is deleted when you close the tab.
        You can clear everything else in your browser’s settings, under website data. Pages then look as they
        did on your first visit, and nothing else is lost.
      </p>
    ),
  },
]

function listOf(place: BrowserStorageItem['place']) {
  const facts = BROWSER_STORAGE_ITEMS.filter((stored) => stored.place === place)
  return (
    <DescriptionList
      facts={facts.map(({ name, purpose, lifetime }) => ({
        term: name,
        text: purpose,
        note: `${lifetime}.`,
      }))}
    />
  )
}
