import { systemImage } from './image.ts';

// built with a network, which the tests lack
console.log(`Debian image of the system lab: ${await systemImage()}`);
