/**
 * Parts of words, without accents, that name a profession whose customers are a secret: medicine, therapy and law, in the
 * languages in which owners write a category of their own.
 */
const CONFIDENTIAL = [
  // Therapy and counselling
  'therap',
  'psych',
  'counsel',
  'hypno',
  'terapeut',
  'logopad',
  'speech pathologist',
  // Medicine
  'doctor',
  'physician',
  'medic',
  'medec',
  'surg',
  'chirurg',
  'dentist',
  'dental',
  'orthodon',
  'nurse',
  'midwi',
  'clinic',
  'health',
  'optometr',
  'osteopat',
  'chiropract',
  'acupunct',
  'podiatr',
  'dermatolog',
  'gynaecolog',
  'gynecolog',
  'paediatric',
  'pediatric',
  'homeopat',
  'homoopath',
  'naturopat',
  'dietitian',
  'arzt',
  'heilprakti',
  'hebamme',
  'klinik',
  'pflege',
  'docteur',
  'sage-femme',
  'infirmi',
  'dottor',
  'lekarz',
  'huisarts',
  // Law
  'lawyer',
  'attorney',
  'solicitor',
  'barrister',
  'notar',
  'legal',
  'anwalt',
  'jurist',
  'avocat',
  'avvocat',
  'abogad',
  'advogad',
  'advocaat',
  'advokat',
  'adwokat',
]

/** Whether customers of a category expect that nobody learns of them. False for a category that is not given. Source: rule G29. */
export function isConfidentialProfession(category: string | null): boolean {
  const plain = (category ?? '')
    .normalize('NFKD')
    .replace(/\p{Mark}/gu, '')
    .toLowerCase()
  return CONFIDENTIAL.some((part) => plain.includes(part))
}
