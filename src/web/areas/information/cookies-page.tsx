import { BROWSER_STORAGE_ITEMS, type BrowserStorageItem } from '#contract/information/browser-storage.ts'
import { DescriptionList, InformationLayout, type InformationSection } from './information-layout.tsx'

/** The page `/cookies`: lists everything that is stored in a browser, by name. Source: rule D7. */
export function CookiesPage() {
  return (
    <InformationLayout
      title="Cookies"
      intro="Meridian keeps a few things in your browser that its pages need to work. None of them follows you, here or elsewhere, so there is nothing to agree to. If you only look or book, no cookie is set at all."
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
          Sent to this website with each request. Only owners who log in have them, and customers who have
          typed a code to see all their appointments; scripts cannot read them. Behind https their names begin
          with <code>__Secure-</code>.
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
        <p>Stays in the browser and is never sent by itself.</p>
        {listOf('local storage')}
      </>
    ),
  },
  {
    id: 'session-storage',
    title: 'Session storage',
    content: (
      <>
        <p>The same for one tab; it goes when the tab is closed.</p>
        {listOf('session storage')}
      </>
    ),
  },
  {
    id: 'history',
    title: 'History of a tab',
    content: (
      <>
        <p>Belongs to one page in the history of one tab; it goes when the tab is closed.</p>
        {listOf('history')}
      </>
    ),
  },
  {
    id: 'cache-storage',
    title: 'Cache storage',
    content: (
      <>
        <p>Files of this website, the same for everybody.</p>
        {listOf('cache storage')}
      </>
    ),
  },
  {
    id: 'other-websites',
    title: 'Other websites',
    content: (
      <p>
        Pages of this website load nothing from others, so nobody else can set a cookie here. To pay, you go
        to a page of Stripe or PayPal, where they say what they keep in your browser.
      </p>
    ),
  },
  {
    id: 'remove',
    title: 'How to remove them',
    content: (
      <p>
        Sign Out ends the session and removes its cookie. The history of a tab goes when you close the tab.
        Everything else is in the settings of your browser, where website data can be cleared. Afterwards a
        page looks as on your first visit, and nothing else is lost.
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
