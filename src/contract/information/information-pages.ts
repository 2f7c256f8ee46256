/** The name of an information page, about the installation's operator and its terms. Source: rule W1. */
export type InformationPageName = 'about' | 'contact' | 'privacy' | 'terms' | 'cookies'

type InformationPage = { readonly label: string; readonly path: string; readonly description: string }

/** The path, the link text and the meta description of each information page. */
export const INFORMATION_PAGES: Readonly<Record<InformationPageName, InformationPage>> = {
  about: {
    label: 'About',
    path: '/about',
    description: 'What Meridian is, what it doesn’t do, and who runs this site.',
  },
  contact: {
    label: 'Contact',
    path: '/contact',
    description: 'How to reach the people who run this site.',
  },
  privacy: {
    label: 'Privacy',
    path: '/privacy',
    description: 'What we store about owners and customers, for how long, and who else receives it.',
  },
  terms: {
    label: 'Terms',
    path: '/terms',
    description: 'What owners and customers can expect from this service, and what it expects from them.',
  },
  cookies: {
    label: 'Cookies',
    path: '/cookies',
    description: 'Every cookie and everything else that Meridian keeps in your browser, by name.',
  },
}
