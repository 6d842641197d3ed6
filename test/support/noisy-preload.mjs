// Preloaded into a server: once it owns stdout, writes there in every way that a careless library would, and throws.
const { write } = process.stdout;
const noise = [
  () => console.log('NOISE'),
  () => console.table([{ noise: 'NOISE' }]),
  () => process.stdout.write('NOISE\n'),
  () => process.stdout.end('NOISE'),
  () => process.emitWarning('NOISE'),
  () => void Promise.reject(new Error('NOISE')),
];
let made = 0;
setInterval(() => {
  if (process.stdout.write !== write) noise[made++ % noise.length]();
}, 5).unref();
