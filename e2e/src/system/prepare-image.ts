import { systemImage } from './image.ts';

// builds the image where there is a network: the tests themselves run without one
console.log(`Debian image of the system lab: ${await systemImage()}`);
