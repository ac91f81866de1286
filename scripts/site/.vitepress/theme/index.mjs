import Theme from 'vitepress/theme-without-fonts';
import Playground from '../../playground/Playground.vue';
import PlanFrame from '../../pages/PlanFrame.vue';
import './site.css';

export default {
  extends: Theme,
  enhanceApp({ app }) {
    app.component('Playground', Playground);
    app.component('PlanFrame', PlanFrame);
  },
};
