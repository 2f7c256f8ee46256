/** Shows the three steps on one arc, from morning over noon to afternoon. Source: rule W4. */
export function HowItWorks() {
  return (
    <section aria-labelledby="how-it-works" className="border-t border-line bg-sunken">
      <div className="mx-auto max-w-6xl px-4 py-16 sm:px-6 lg:py-24">
        <h2 id="how-it-works" className="text-3xl sm:text-4xl md:text-center">
          How It Works
        </h2>
        <div className="relative mt-8 md:pt-56">
          <StepArc />
          <ol className="grid gap-9 border-s-[1.5px] border-line-strong ps-7 md:grid-cols-3 md:gap-8 md:border-s-0 md:ps-0">
            {STEPS.map(({ title, text }, index) => (
              <li key={title} className="relative md:text-center">
                <span
                  aria-hidden="true"
                  className="absolute -start-[2.35rem] top-1 size-4 rounded-full bg-noon ring-4 ring-sunken md:hidden"
                />
                <h3 className="text-xl">
                  <span className="sr-only">Step {index + 1}: </span>
                  {title}
                </h3>
                <p className="mt-2 text-ink-soft md:mx-auto md:max-w-xs">{text}</p>
              </li>
            ))}
          </ol>
        </div>
      </div>
    </section>
  )
}

/** Draws one day as an arc over the three columns, with a sun in the middle of each. The second sun is on the meridian. */
function StepArc() {
  return (
    <svg
      viewBox="0 0 1104 216"
      fill="none"
      aria-hidden="true"
      className="absolute inset-x-0 top-0 hidden w-full md:block rtl:-scale-x-100"
    >
      <path
        d="M40 200C200 -20 904 -20 1064 200"
        stroke="var(--line-strong)"
        strokeWidth="2"
        strokeDasharray="0.1 8"
        strokeLinecap="round"
      />
      <path d="M0 200h1104M552 35v165" stroke="var(--line-strong)" strokeWidth="1.5" strokeLinecap="round" />
      {STEPS.map(({ title, x, y }, index) => (
        <g key={title}>
          <circle cx={x} cy={y} r="24" fill="var(--noon)" stroke="var(--sunken)" strokeWidth="6" />
          <text
            x={x}
            y={y + 7}
            textAnchor="middle"
            className="fill-on-noon font-display text-xl font-semibold rtl:[transform:scaleX(-1)] rtl:[transform-box:fill-box] rtl:[transform-origin:center]"
          >
            {index + 1}
          </text>
        </g>
      ))}
    </svg>
  )
}

/** The steps, with the position of each sun on the arc in units of the drawing. */
const STEPS = [
  {
    title: 'Create Your Account',
    text: 'Your name, an email address, a password. Then name your calendar and the appointment types you offer.',
    x: 184,
    y: 98,
  },
  {
    title: 'Share Your Booking Link',
    text: 'Put it on your website, in your emails, on your door. It works as soon as your calendar exists.',
    x: 552,
    y: 35,
  },
  {
    title: 'Get Booked',
    text: 'Customers choose a time online. You both get an email with the appointment for your calendars.',
    x: 920,
    y: 98,
  },
] as const
