export type LiveState = 'connecting' | 'live' | 'lost' | 'full';
