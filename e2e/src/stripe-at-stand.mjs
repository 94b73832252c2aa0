// Imported before the program: its calls to Stripe go to the test's stand.
const stand = process.env.STRIPE_STAND;
const { fetch } = globalThis;
globalThis.fetch = (url, init) => fetch(String(url).replace('https://api.stripe.com', stand), init);
