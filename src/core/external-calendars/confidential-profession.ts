/**
 * Stems of confidential professions (medicine, therapy, law), without accents, in the languages that owners use for
 * custom categories.
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

/** True when customers of this category expect confidentiality. False without a category. Source: rule G29. */
export function isConfidentialProfession(category: string | null): boolean {
  const plain = (category ?? '')
    .normalize('NFKD')
    .replace(/\p{Mark}/gu, '')
    .toLowerCase()
  return CONFIDENTIAL.some((part) => plain.includes(part))
}
