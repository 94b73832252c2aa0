export const serialsPath = '/api/v3/install/serial/list';
