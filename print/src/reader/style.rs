//! The style of elements: attributes, style sheets, and inheritance.

use roxmltree::Node;
use simplecss::{AttributeOperator, Element, PseudoClass, StyleSheet};
use svgtypes::{Color, NumberListParser};

use crate::font;
use crate::scene::{Cap, Fill, Join, Paint, Stroke};

/// The style of an element. Elements inside inherit it.
#[derive(Clone, Debug)]
pub struct Style {
    fill: Option<[u8; 3]>,
    fill_opacity: f64,
    is_even_odd: bool,
    stroke: Option<[u8; 3]>,
    stroke_opacity: f64,
    width: f64,
    cap: Cap,
    join: Join,
    dashes: Vec<f64>,
    /// Whether lines are painted below the inside.
    pub is_line_first: bool,
    /// Weight and slant.
    pub font: font::Style,
    /// The size of the font.
    pub size: f64,
    /// The spacing after each letter, as a fraction of the size.
    pub spacing: f64,
    /// The fraction of a text that is left of its position.
    pub anchor: f64,
}

/// The style that is not inherited.
#[derive(Clone, Debug)]
pub struct Own {
    /// The opacity, from 0 to 1.
    pub opacity: f64,
    /// The id of a clip path.
    pub clip: Option<String>,
}

impl Default for Style {
    fn default() -> Self {
        Style {
            fill: Some([0; 3]),
            fill_opacity: 1.0,
            is_even_odd: false,
            stroke: None,
            stroke_opacity: 1.0,
            width: 1.0,
            cap: Cap::Butt,
            join: Join::Miter,
            dashes: Vec::new(),
            is_line_first: false,
            font: font::Style::default(),
            size: 16.0,
            spacing: 0.0,
            anchor: 0.0,
        }
    }
}

impl Style {
    /// The style of an element inside one with this style. An error names what is not understood.
    pub fn of(&self, node: Node<'_, '_>, sheet: &StyleSheet<'_>) -> Result<(Style, Own), String> {
        let mut style = self.clone();
        let mut own = Own { opacity: 1.0, clip: None };
        for attribute in node.attributes() {
            style.set(attribute.name(), attribute.value(), &mut own)?;
        }
        // Style sheets take precedence over attributes.
        for rule in &sheet.rules {
            if rule.selector.matches(&Xml(node)) {
                for declaration in &rule.declarations {
                    style.set(declaration.name, declaration.value, &mut own)?;
                }
            }
        }
        Ok((style, own))
    }

    fn set(&mut self, name: &str, value: &str, own: &mut Own) -> Result<(), String> {
        match name {
            "fill" => self.fill = color(value)?,
            "stroke" => self.stroke = color(value)?,
            "fill-opacity" => self.fill_opacity = share(value)?,
            "stroke-opacity" => self.stroke_opacity = share(value)?,
            "opacity" => own.opacity = share(value)?,
            "fill-rule" => self.is_even_odd = value == "evenodd",
            "stroke-width" => self.width = number(value)?,
            "stroke-linecap" => {
                self.cap = match value {
                    "round" => Cap::Round,
                    "square" => Cap::Square,
                    _ => Cap::Butt,
                }
            }
            "stroke-linejoin" => {
                self.join = match value {
                    "round" => Join::Round,
                    "bevel" => Join::Bevel,
                    _ => Join::Miter,
                }
            }
            "stroke-dasharray" if value == "none" => self.dashes.clear(),
            "stroke-dasharray" => {
                let dashes = NumberListParser::from(value).collect::<Result<_, _>>();
                self.dashes = dashes.map_err(|_| format!("the dashes `{value}`"))?;
            }
            "paint-order" => self.is_line_first = value == "stroke",
            "font-family" => value.clone_into(&mut self.font.families),
            "font-size" => self.size = number(value)?,
            "font-weight" => self.font.is_bold = matches!(value, "bold" | "600" | "700" | "800" | "900"),
            "font-style" => self.font.is_italic = value == "italic",
            "letter-spacing" => self.spacing = number(value.trim_end_matches("em"))?,
            "text-anchor" => {
                self.anchor = match value {
                    "middle" => 0.5,
                    "end" => 1.0,
                    _ => 0.0,
                }
            }
            "clip-path" => {
                let id = value.strip_prefix("url(#").and_then(|rest| rest.strip_suffix(')'));
                own.clip = Some(id.ok_or_else(|| format!("the clip path `{value}`"))?.to_owned());
            }
            // Other attributes are about position, or about the page.
            _ => {}
        }
        Ok(())
    }

    /// How the inside is painted, if it is.
    pub fn fill(&self) -> Option<Fill> {
        let paint = Paint { color: self.fill?, opacity: self.fill_opacity };
        (paint.opacity > 0.0).then_some(Fill { paint, is_even_odd: self.is_even_odd })
    }

    /// How the line is painted, if it is.
    pub fn stroke(&self) -> Option<Stroke> {
        let paint = Paint { color: self.stroke?, opacity: self.stroke_opacity };
        let dashes = if self.dashes.iter().sum::<f64>() > 0.0 { self.dashes.clone() } else { Vec::new() };
        let stroke = Stroke { paint, width: self.width, cap: self.cap, join: self.join, dashes };
        (paint.opacity > 0.0 && self.width > 0.0).then_some(stroke)
    }
}

fn color(value: &str) -> Result<Option<[u8; 3]>, String> {
    if value == "none" {
        return Ok(None);
    }
    let color: Color = value.parse().map_err(|_| format!("the color `{value}`"))?;
    Ok(Some([color.red, color.green, color.blue]))
}

fn share(value: &str) -> Result<f64, String> {
    Ok(number(value)?.clamp(0.0, 1.0))
}

/// Parses a finite number without a unit.
pub fn number(value: &str) -> Result<f64, String> {
    let number = value.parse().ok().filter(|number: &f64| number.is_finite());
    number.ok_or_else(|| format!("the number `{value}`"))
}

struct Xml<'a, 'input>(Node<'a, 'input>);

impl Element for Xml<'_, '_> {
    fn parent_element(&self) -> Option<Self> {
        self.0.parent_element().map(Xml)
    }
    fn prev_sibling_element(&self) -> Option<Self> {
        self.0.prev_sibling_element().map(Xml)
    }
    fn has_local_name(&self, name: &str) -> bool {
        self.0.tag_name().name() == name
    }
    fn attribute_matches(&self, name: &str, operator: AttributeOperator<'_>) -> bool {
        self.0.attribute(name).is_some_and(|value| operator.matches(value))
    }
    fn pseudo_class_matches(&self, class: PseudoClass<'_>) -> bool {
        matches!(class, PseudoClass::FirstChild) && self.0.prev_sibling_element().is_none()
    }
}
