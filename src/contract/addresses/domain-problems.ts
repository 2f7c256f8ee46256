/** API errors about a calendar's addresses (rule X1). */
export const DOMAIN_PROBLEMS = {
  'domain.not_a_name': {
    status: 400,
    title: 'This is not a domain. Please enter one like book.example.org.',
  },
  'domain.with_more': {
    status: 400,
    title: 'Please enter the domain alone, without https://, a port or a path.',
  },
  'domain.is_ip_address': {
    status: 400,
    title: 'An IP address cannot be used. Please enter a domain like book.example.org.',
  },
  'domain.is_public_suffix': {
    status: 400,
    title:
      'Anybody can register names below this domain, so it belongs to nobody. Please enter a domain of your own.',
  },
  'domain.is_special': {
    status: 400,
    title: 'This name does not exist on the internet. Please enter a domain that you have registered.',
  },
  'domain.of_installation': {
    status: 400,
    title: 'This name belongs to this site. Please enter a domain of your own.',
  },
  'domain.mixes_scripts': {
    status: 400,
    title:
      'This name mixes letters of different alphabets, as names do that imitate others. Please check how it is written.',
  },
  'domain.root_not_offered': {
    status: 400,
    title: 'Here a domain needs a part before its name. Please enter one like www.example.org.',
  },
  'domain.not_offered': { status: 404, title: 'Custom domains are not set up on this site.' },
  'domain.subdomain_not_offered': { status: 404, title: 'Subdomains are not set up on this site.' },
  'domain.subdomain_taken': {
    status: 409,
    title: 'No subdomain is free for the name of this calendar. Please change the name and try again.',
  },
  'domain.subdomains_spent': {
    status: 429,
    title:
      'No new subdomain can be set up here at the moment. Please try again in a few days. Your booking link works all the same.',
  },
  'domain.nothing_to_verify': {
    status: 409,
    title: 'There is no custom domain to verify. Please save one first.',
  },
  'domain.changed_meanwhile': {
    status: 409,
    title: 'This domain was changed or proven by somebody else meanwhile. Please verify it again.',
  },
} as const satisfies Record<string, { status: number; title: string }>
