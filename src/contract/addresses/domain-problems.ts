/** API errors about a calendar's addresses (rule X1). */
export const DOMAIN_PROBLEMS = {
  'domain.not_a_name': {
    status: 400,
    title: 'This isn’t a domain. Please enter one like book.example.org.',
  },
  'domain.with_more': {
    status: 400,
    title: 'Please enter only the domain, without https://, a port or a path.',
  },
  'domain.is_ip_address': {
    status: 400,
    title: 'IP addresses aren’t supported. Please enter a domain like book.example.org.',
  },
  'domain.is_public_suffix': {
    status: 400,
    title: 'Anyone can register names under this domain. Please enter a domain of your own.',
  },
  'domain.is_special': {
    status: 400,
    title: 'This domain can’t exist on the internet. Please enter a domain you’ve registered.',
  },
  'domain.of_installation': {
    status: 400,
    title: 'This domain belongs to this site. Please enter a domain of your own.',
  },
  'domain.mixes_scripts': {
    status: 400,
    title:
      'This domain mixes letters from different alphabets, as look-alike domains do. Please check the spelling.',
  },
  'domain.root_not_offered': {
    status: 400,
    title: 'This site needs a subdomain. Please enter one like www.example.org.',
  },
  'domain.not_offered': { status: 404, title: 'Custom domains aren’t available on this site.' },
  'domain.subdomain_not_offered': { status: 404, title: 'Subdomains aren’t available on this site.' },
  'domain.subdomain_taken': {
    status: 409,
    title: 'No subdomain is available for this calendar’s name. Please change the name and try again.',
  },
  'domain.subdomains_spent': {
    status: 429,
    title:
      'We can’t set up new subdomains right now. Please try again in a few days. Your booking link still works.',
  },
  'domain.nothing_to_verify': {
    status: 409,
    title: 'There is no custom domain to verify. Please save one first.',
  },
  'domain.changed_meanwhile': {
    status: 409,
    title: 'This domain was changed, or somebody else verified it. Please verify it again.',
  },
} as const satisfies Record<string, { status: number; title: string }>
